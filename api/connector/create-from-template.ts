import { send, senderOf } from '../../db/pipeline.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { Template } from '../../db/models/template.ts';
import type { Caller } from '../../domain/caller.ts';
import { templateNotFound } from '../../domain/errors.ts';
import { decimalNumber } from '../../domain/money.ts';
import type { Deps } from '../deps.ts';
import type { CreateQuote } from '../quotes/content-schema.ts';
import { contextQueryOf, prepareQuote } from '../quotes/create.ts';
import { loadCreateContext } from '../quotes/load-create-context.ts';
import { withFreeNumber } from '../quotes/number-taken.ts';
import { templateDocument, templateItems } from '../templates/present.ts';
import type { TemplateItem } from '../templates/schema.ts';
import type { CreateFromTemplate } from './schema.ts';

/**
 * Creates a quote with a template's lines, notes, shipping and currency. The template's notes are copied in full,
 * although templates allow longer notes than POST /api/quotes.
 */
export async function createFromTemplate(deps: Deps, trx: TenantTransaction, caller: Caller, body: CreateFromTemplate) {
  const { tenantId } = caller;
  const { templateId, clientId, notes, shippingCost, expiresAt, validUntil, title, reference, metadata } = body;
  const template = await Template.query(trx).findOne({ tenantId, id: templateId, isActive: true });
  if (!template) throw templateNotFound();
  const copied = notes === undefined ? template.notes : (notes ?? '');
  const { terms, ...document } = templateDocument(template);
  const content: CreateQuote = {
    clientId,
    items: templateItems(template).map(withoutNulls),
    ...(body.copyFromProducts && { copyFromProducts: true }),
    ...(copied !== null && { notes: copied }),
    shippingCost: shippingCost ?? decimalNumber(template.shippingCost),
    currency: template.currency,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(validUntil !== undefined && { validUntil }),
    ...document,
    ...(terms !== null && { terms }),
    ...(title !== undefined && { title }),
    ...(reference !== undefined && { reference }),
    ...(metadata !== undefined && { metadata }),
  };
  const tx = senderOf(trx);
  const context = await loadCreateContext(tx, contextQueryOf(content));
  const { statements, ...quote } = prepareQuote(deps, tx, caller, content, context);
  await withFreeNumber(() => send(trx, statements));
  return quote;
}

/** A template stores null for what its line does not give: the product's may be copied. */
const withoutNulls = ({ unit, taxes, description, ...line }: TemplateItem) => ({
  ...line,
  ...(unit !== null && { unit }),
  ...(taxes !== null && { taxes }),
  ...(description !== null && { description }),
});
