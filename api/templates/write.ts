import { newId } from '../../db/ids.ts';
import { Template } from '../../db/models/template.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { changesOf } from '../../domain/diff.ts';
import { templateNotFound } from '../../domain/errors.ts';
import { decimalString } from '../../domain/money.ts';
import { assertLineTextFits } from '../../domain/quote-size.ts';
import { assertProductsExist } from '../quotes/lines.ts';
import { templateItems } from './present.ts';
import { findTemplate, lockTemplate } from './queries.ts';
import type { CreateTemplate, TemplateItem, UpdateTemplate } from './schema.ts';

/** Creates a template with its audit entry. */
export async function createTemplate(trx: TenantTransaction, caller: Caller, body: CreateTemplate): Promise<Template> {
  const { tenantId, userId } = caller;
  assertLineTextFits(body.items);
  const items = normalised(body.items);
  await assertProductsExist(trx, tenantId, { items });
  const { id, name } = await Template.query(trx).insertAndFetch({
    id: newId(),
    tenantId,
    userId,
    name: body.name,
    description: body.description || null,
    items: JSON.stringify(items),
    notes: body.notes ?? null,
    shippingCost: decimalString(body.shippingCost),
    currency: body.currency,
  });
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'template',
    entityId: id,
    metadata: { name, items: items.length, currency: body.currency },
  });
  return findTemplate(trx, tenantId, id);
}

/** Changes the given members of an active template. Quotes created from it are unchanged. */
export async function updateTemplate(
  trx: TenantTransaction,
  caller: Caller,
  id: string,
  body: UpdateTemplate,
): Promise<Template> {
  const { tenantId } = caller;
  assertLineTextFits(body.items ?? []);
  const template = await lockTemplate(trx, tenantId, id);
  if (!template.isActive) throw templateNotFound();
  const items = body.items && normalised(body.items);
  if (items) await assertProductsExist(trx, tenantId, { items });

  const { name, description, notes, currency } = template;
  // The column always has three decimals: "150.000" equals "150.00".
  const was = {
    name,
    description,
    items: template.items,
    notes,
    shippingCost: decimalString(template.shippingCost),
    currency,
  };
  const changes = changesOf(was, {
    name: body.name,
    description: body.description === undefined ? undefined : body.description || null,
    items: items && JSON.stringify(items),
    notes: body.notes,
    shippingCost: body.shippingCost === undefined ? undefined : decimalString(body.shippingCost),
    currency: body.currency,
  });
  if (changes) {
    await Template.query(trx)
      .findOne({ tenantId, id })
      .patch({ ...changes.after, updatedAt: new Date() });
    await recordAudit(trx, memberActor(caller), {
      action: 'update',
      entity: 'template',
      entityId: id,
      metadata: { before: readable(changes.before), after: readable(changes.after) },
    });
  }
  return findTemplate(trx, tenantId, id);
}

/** Deletes a template; its row stays with `isActive: false`. Repeating it changes nothing. */
export async function deleteTemplate(trx: TenantTransaction, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller;
  const template = await lockTemplate(trx, tenantId, id);
  if (!template.isActive) return;
  await Template.query(trx).findOne({ tenantId, id }).patch({ isActive: false, updatedAt: new Date() });
  await recordAudit(trx, memberActor(caller), {
    action: 'delete',
    entity: 'template',
    entityId: id,
    metadata: { name: template.name },
  });
}

const normalised = (items: CreateTemplate['items']): TemplateItem[] =>
  items.map(({ productId, productName, model, unitPrice, quantity, discountPct }) => ({
    productId: productId || null,
    productName,
    model: model || null,
    unitPrice,
    quantity,
    discountPct,
  }));

const readable = ({ items, ...rest }: Partial<Pick<Template, 'items'>>) => ({
  ...rest,
  ...(items !== undefined && { items: templateItems({ items }) }),
});
