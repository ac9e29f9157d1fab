import { type Static, Type } from 'typebox';
import { addedToItem } from '../quotes/detail-schema.ts';
import { copyFromProducts, documentInput, QuoteItemInput } from '../quotes/schema.ts';
import { DEPOSIT_TYPES } from '../../domain/deposit.ts';
import { named, namedInput, decimal, id, line, nullable, oneOf, optionalText, timestamp } from '../schema.ts';

const name = () => line(100, { examples: ['Oficina básica'] });
const description = () => optionalText(500, { examples: ['Un puesto de trabajo'] });
const items = () => Type.Array(QuoteItemInput, { minItems: 1, maxItems: 1000 });
const notes = () =>
  optionalText(2000, {
    description: 'Sin ellas, la cotización lleva las del negocio; "" las deja vacías.',
    examples: ['Entrega en 5 días hábiles'],
  });
const shippingCost = (options: object = {}) =>
  decimal(2, { minimum: 0, maximum: 9_999_999_999.99, examples: [150], ...options });
const currency = (options: object = {}) => line(10, { examples: ['MXN'], ...options });

export const CreateTemplate = namedInput('TemplateInput', {
  name: name(),
  description: description(),
  items: items(),
  notes: notes(),
  shippingCost: shippingCost({ default: 0 }),
  currency: currency({ default: 'MXN' }),
  copyFromProducts: copyFromProducts(),
  ...documentInput,
});
export type CreateTemplate = Static<typeof CreateTemplate>;

/** Absent members are unchanged; null clears description and notes. */
export const UpdateTemplate = namedInput('TemplateUpdate', {
  name: Type.Optional(name()),
  description: description(),
  items: Type.Optional(items()),
  notes: notes(),
  shippingCost: Type.Optional(shippingCost()),
  currency: Type.Optional(currency()),
  copyFromProducts: copyFromProducts(),
  ...documentInput,
});
export type UpdateTemplate = Static<typeof UpdateTemplate>;

export const TemplateParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

const TemplateItem = named('TemplateItem', {
  productId: nullable(id()),
  productName: Type.String({ examples: ['Silla ejecutiva'] }),
  model: nullable(Type.String({ examples: ['SE-200'] })),
  unitPrice: Type.Number({ examples: [1850.5] }),
  quantity: Type.Number({ examples: [4] }),
  discountPct: Type.Number({ examples: [10] }),
  description: addedToItem.description,
  section: addedToItem.section,
  unit: addedToItem.unit,
  taxes: addedToItem.taxes,
  optional: addedToItem.optional,
  choice: addedToItem.choice,
  selected: addedToItem.selected,
});
export type TemplateItem = Static<typeof TemplateItem>;

/** What a template sets besides lines, notes, shipping and currency. */
const documentBody = {
  title: nullable(Type.String({ examples: ['Remodelación de oficinas'] })),
  terms: nullable(Type.String({ description: 'null: las del negocio', examples: ['50 % de anticipo'] })),
  internalNotes: nullable(Type.String({ examples: ['Margen del 30 %'] })),
  discountPct: Type.Number({ examples: [5] }),
  shippingTaxes: nullable(Type.Array(Type.String({ examples: ['IVA16'] }))),
  deposit: nullable(
    named('TemplateDeposit', {
      type: oneOf('DepositType', DEPOSIT_TYPES),
      value: Type.Number({ examples: [50] }),
      note: nullable(Type.String({ examples: ['Al firmar'] })),
    }),
  ),
};
const TemplateDocument = Type.Object(documentBody);
export type TemplateDocument = Static<typeof TemplateDocument>;

/** Money as JSON numbers. */
export const TemplateBody = named('Template', {
  id: id(),
  tenantId: id(),
  name: Type.String({ examples: ['Oficina básica'] }),
  description: nullable(Type.String({ examples: ['Un puesto de trabajo'] })),
  items: Type.Array(TemplateItem),
  notes: nullable(Type.String({ examples: ['Entrega en 5 días hábiles'] })),
  shippingCost: Type.Number({ examples: [150] }),
  currency: Type.String({ examples: ['MXN'] }),
  ...documentBody,
  isActive: Type.Boolean({ description: 'false después de DELETE' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  creator: named('UserName', { name: Type.String({ examples: ['Diana Ruiz'] }) }),
});
