import type { Template } from '../../db/models/template.ts';
import { decimalNumber } from '../../domain/money.ts';
import type { TemplateItem } from './schema.ts';

/** The lines of a template; only validated ones are stored. */
export const templateItems = ({ items }: Pick<Template, 'items'>) => JSON.parse(items) as readonly TemplateItem[];

export const templateBody = (template: Template) => {
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
    })),
    notes: template.notes,
    shippingCost: decimalNumber(template.shippingCost),
    currency: template.currency,
    isActive: template.isActive,
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
    creator: { name: template.creator.name },
  };
};
