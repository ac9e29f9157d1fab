import { sendAtOnce } from '../../db/at-once.ts';
import type { Tenant } from '../../db/models/tenant.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { clientNotFound, productNotFound } from '../../domain/errors.ts';
import { DEFAULT_TAX_RATE } from '../../domain/money.ts';
import type { Deps } from '../deps.ts';
import { type ClientOfQuote, insertQuote, linkedProducts, startIn, startQuote } from './insert.ts';
import { priced } from './pricing.ts';
import type { CreateQuote } from './schema.ts';
import { assertCurrency, assertMayUse, chosenExpiry, expiryAfter } from './terms.ts';

/**
 * A new quote in one transaction: client visible, amounts, number, rows, audit entry, event. A create that fails
 * consumes no number (decisions, section 3).
 */
export async function createQuote(
  deps: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  caller: Caller,
  body: CreateQuote,
) {
  const { tenantId, plan } = caller;
  const linked = linkedProducts(body.items);
  const { tenant, client, start } = await beforeCreate(trx, { tenantId, linked, clientId: body.clientId });
  const currency = body.currency ?? tenant.currency;
  assertCurrency(currency);
  const expiresAt = body.expiresAt === undefined ? expiryAfter(tenant.quoteValidityDays) : chosenExpiry(body.expiresAt);
  assertMayUse(currency, { plan, businessCurrency: tenant.currency });
  const taxRate = tenant.taxRate ?? DEFAULT_TAX_RATE;
  const amounts = priced(body, { taxRate, currency });
  if (!client) throw clientNotFound();
  if (start.products.size < linked.length) throw productNotFound();

  return insertQuote(deps, trx, caller, {
    start,
    client,
    priced: amounts,
    currency,
    taxRate,
    notes: body.notes ?? tenant.defaultNotes,
    expiresAt,
    audit: { action: 'create' },
  });
}

type Terms = Pick<Tenant, 'currency' | 'taxRate' | 'quoteValidityDays' | 'defaultNotes'>;

/** What the checks need to know, and what the quote begins with, in one round trip. */
async function beforeCreate(
  trx: TenantTransaction,
  { tenantId, linked, clientId }: { tenantId: string; linked: readonly string[]; clientId: string },
) {
  const [tenants, clients, ...rest] = await sendAtOnce(trx, [
    {
      name: 'terms-of-tenant',
      text: `select currency, tax_rate as "taxRate", quote_validity_days as "quoteValidityDays", default_notes as "defaultNotes"
        from tenants where id = $1`,
      values: [tenantId],
    },
    {
      name: 'active-client',
      text: `select id, contact_name as "contactName", company_name as "companyName", email, phone
        from clients where tenant_id = $1 and id = $2 and is_active`,
      values: [tenantId, clientId],
    },
    ...startQuote(trx, tenantId, linked),
  ]);
  // The columns are those of the statements above.
  const [tenant] = tenants as Terms[];
  if (!tenant) throw new Error('the business is gone');
  const [client] = clients as ClientOfQuote[];
  return { tenant, client, start: startIn(rest) };
}
