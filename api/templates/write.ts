import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../db/ids.ts';
import { Template } from '../../db/models/template.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { changesOf } from '../../domain/diff.ts';
import { invalidInput, templateNotFound } from '../../domain/errors.ts';
import { choiceProblems } from '../../domain/quote-options.ts';
import { decimalString } from '../../domain/money.ts';
import { assertLineTextFits } from '../../domain/quote-size.ts';
import { readAndCopy } from '../quotes/copy-from-products.ts';
import { assertProductsExist } from '../quotes/lines.ts';
import { NO_DOCUMENT, templateDocument, templateItems } from './present.ts';
import { findTemplate, lockTemplate } from './queries.ts';
import type { CreateTemplate, TemplateDocument, TemplateItem, UpdateTemplate } from './schema.ts';

/** Creates a template with its audit entry. */
export async function createTemplate(trx: TenantTransaction, caller: Caller, body: CreateTemplate): Promise<Template> {
  const { tenantId, userId } = caller;
  assertLineTextFits(body.items);
  assertChoices(body.items);
  const items = normalised(body.copyFromProducts ? await readAndCopy(trx, tenantId, body.items) : body.items);
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
    document: documentColumn(body, NO_DOCUMENT),
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
  if (body.items) assertChoices(body.items);
  const template = await lockTemplate(trx, tenantId, id);
  if (!template.isActive) throw templateNotFound();
  const lines = body.items && body.copyFromProducts ? await readAndCopy(trx, tenantId, body.items) : body.items;
  const items = lines && normalised(lines);
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
    document: template.document,
  };
  const changes = changesOf(was, {
    name: body.name,
    description: body.description === undefined ? undefined : body.description || null,
    items: items && JSON.stringify(items),
    notes: body.notes,
    shippingCost: body.shippingCost === undefined ? undefined : decimalString(body.shippingCost),
    currency: body.currency,
    document: documentColumn(body, templateDocument(template)),
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

const normalised = (items: readonly CreateTemplate['items'][number][]): TemplateItem[] =>
  items.map(({ productId, productName, model, unitPrice, quantity, discountPct, ...added }) => ({
    productId: productId || null,
    productName,
    model: model || null,
    unitPrice,
    quantity,
    discountPct,
    description: added.description || null,
    section: added.section || null,
    unit: added.unit || null,
    taxes: added.taxes ? [...added.taxes] : null,
    optional: added.optional ?? false,
    choice: added.choice || null,
    selected: added.selected ?? false,
  }));

function assertChoices(items: CreateTemplate['items']): void {
  const problems = choiceProblems(items);
  if (problems.length > 0) throw invalidInput(problems);
}

/** The document of a template as it is stored: null or "" clears a member, an absent one is unchanged. */
function documentColumn(body: UpdateTemplate, kept: TemplateDocument): string | null {
  const text = (given: string | null | undefined, before: string | null) =>
    given === undefined ? before : given || null;
  const { deposit, shippingTaxes } = body;
  const document: TemplateDocument = {
    title: text(body.title, kept.title),
    // "" is kept, since a quote without terms has those of the business.
    terms: body.terms === undefined ? kept.terms : body.terms,
    internalNotes: text(body.internalNotes, kept.internalNotes),
    discountPct: body.discountPct ?? kept.discountPct,
    shippingTaxes: shippingTaxes === undefined ? kept.shippingTaxes : shippingTaxes && [...shippingTaxes],
    deposit: deposit === undefined ? kept.deposit : deposit && { ...deposit, note: deposit.note || null },
  };
  return isDeepStrictEqual(document, NO_DOCUMENT) ? null : JSON.stringify(document);
}

const readable = ({ items, document, ...rest }: Partial<Pick<Template, 'items' | 'document'>>) => ({
  ...rest,
  ...(document !== undefined && { document: templateDocument({ document }) }),
  ...(items !== undefined && { items: templateItems({ items }) }),
});
