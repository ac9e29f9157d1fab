import { type Static, Type } from 'typebox';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { PLANS } from '../../domain/plans.ts';
import { ROLES } from '../../domain/permissions.ts';
import { CreateQuote, ownInput } from '../quotes/schema.ts';
import { dropsUnknown, decimal, id, oneOf, optionalText, page, search, timestamp } from '../schema.ts';
import { targetUrl } from '../webhooks/schema.ts';

export const Me = Type.Object({
  user: Type.Object({
    id: id(),
    email: Type.String({ examples: ['diana@example.com'] }),
    name: Type.String({ examples: ['Diana Ruiz'] }),
    role: oneOf(ROLES),
  }),
  tenant: Type.Object({
    id: id(),
    companyName: Type.String({ examples: ['Muebles del Valle'] }),
    plan: oneOf(PLANS, { examples: ['PRO'] }),
  }),
});

export const ListTemplates = dropsUnknown({
  search: search({ description: 'parte del nombre' }),
  page: page(),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 500 }),
});
export type ListTemplates = Static<typeof ListTemplates>;

/** Some platforms read `id` and `name`, others `label` and `value`. */
export const TemplateOption = Type.Object({
  id: id(),
  name: Type.String({ examples: ['Oficina básica'] }),
  label: Type.String({ examples: ['Oficina básica'] }),
  value: id(),
});

export const CreateFromTemplate = dropsUnknown({
  templateId: Type.String({ minLength: 1, maxLength: 64 }),
  clientId: Type.String({ minLength: 1, maxLength: 64 }),
  notes: optionalText(300, { description: 'en lugar de las de la plantilla', examples: ['Entrega mañana'] }),
  shippingCost: Type.Optional(
    decimal(2, {
      minimum: 0,
      maximum: 9_999_999_999.99,
      description: 'en lugar del de la plantilla',
      examples: [99.9],
    }),
  ),
  expiresAt: CreateQuote.properties.expiresAt,
  validUntil: CreateQuote.properties.validUntil,
  title: CreateQuote.properties.title,
  ...ownInput,
});
export type CreateFromTemplate = Static<typeof CreateFromTemplate>;

export const SampleParams = Type.Object({ event: oneOf(SUBSCRIBABLE_EVENTS, { examples: ['quote.created'] }) });
export const Sample = Type.Object({
  event: oneOf(SUBSCRIBABLE_EVENTS),
  timestamp: timestamp(),
  data: Type.Object({
    quote: Type.Optional(
      Type.Unsafe<object>({ type: 'object', examples: [{ quoteNumber: 12, status: 'SENT', total: 1160 }] }),
    ),
    previousStatus: Type.Optional(Type.String({ examples: ['GENERATED'] })),
    client: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
    product: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
    request: Type.Optional(Type.Unsafe<object>({ type: 'object', description: 'los cambios que pide el cliente' })),
  }),
});
export type Sample = Static<typeof Sample>;

export const CreateHook = dropsUnknown({
  targetUrl: targetUrl(),
  event: oneOf(SUBSCRIBABLE_EVENTS, { examples: ['quote.created'] }),
});
export const CreatedHook = Type.Object({ id: id() });
