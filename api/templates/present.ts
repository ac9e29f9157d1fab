import type { Template } from '../../db/models/template.ts';
import { decimalNumber } from '../../domain/money.ts';
import type { addedToItem } from '../quotes/detail-schema.ts';
import type { TemplateDocument, TemplateItem } from './schema.ts';
import type { ResponseBody } from '../schema.ts';
import type { TemplateBody } from './schema.ts';

/** The lines of a template; only validated ones are stored. */
export const templateItems = ({ items }: Pick<Template, 'items'>): readonly TemplateItem[] =>
  // Lines of earlier releases have only the specified members.
  (JSON.parse(items) as (TemplateItem & Partial<typeof NO_MEMBERS>)[]).map((item) => ({ ...NO_MEMBERS, ...item }));

const NO_MEMBERS: Pick<TemplateItem, keyof typeof addedToItem & keyof TemplateItem> = {
  description: null,
  section: null,
  unit: null,
  taxes: null,
  optional: false,
  choice: null,
  selected: false,
};

/** What the template sets besides lines, notes, shipping and currency; only validated documents are stored. */
export const templateDocument = ({ document }: Pick<Template, 'document'>): TemplateDocument =>
  document === null ? NO_DOCUMENT : (JSON.parse(document) as TemplateDocument);

export const NO_DOCUMENT: TemplateDocument = {
  title: null,
  terms: null,
  internalNotes: null,
  discountPct: 0,
  shippingTaxes: null,
  deposit: null,
};

export const templateBody = (template: Template): ResponseBody<typeof TemplateBody> => {
  if (!template.creator) throw new Error('the creator of the template was not fetched');
  return {
    id: template.id,
    tenantId: template.tenantId,
    name: template.name,
    description: template.description,
    items: templateItems(template).map((item) => ({
      productId: item.productId,
      productName: item.productName,
      model: item.model,
      unitPrice: item.unitPrice,
      quantity: item.quantity,
      discountPct: item.discountPct,
      description: item.description,
      section: item.section,
      unit: item.unit,
      taxes: item.taxes,
      optional: item.optional,
      choice: item.choice,
      selected: item.selected,
    })),
    notes: template.notes,
    shippingCost: decimalNumber(template.shippingCost),
    currency: template.currency,
    ...documentMembers(templateDocument(template)),
    isActive: template.isActive,
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
    creator: { name: template.creator.name },
  };
};

const documentMembers = ({ title, terms, internalNotes, discountPct, shippingTaxes, deposit }: TemplateDocument) => ({
  title,
  terms,
  internalNotes,
  discountPct,
  shippingTaxes,
  deposit,
});
