import { sendAtOnce } from '../../db/at-once.ts';
import type { Tenant } from '../../db/models/tenant.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { clientNotFound, productNotFound } from '../../domain/errors.ts';
import { DEFAULT_TAX_RATE } from '../../domain/money.ts';
import type { Deps } from '../deps.ts';
import { type ClientOfQuote, insertQuote } from './insert.ts';
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
  const { tenant, client, products } = await beforeCreate(trx, tenantId, body);
  const currency = body.currency ?? tenant.currency;
  assertCurrency(currency);
  const expiresAt = body.expiresAt === undefined ? expiryAfter(tenant.quoteValidityDays) : chosenExpiry(body.expiresAt);
  assertMayUse(currency, { plan, businessCurrency: tenant.currency });
  const taxRate = tenant.taxRate ?? DEFAULT_TAX_RATE;
  const amounts = priced(body, { taxRate, currency });
  if (!client) throw clientNotFound();
  if (products.found < products.linked) throw productNotFound();

  return insertQuote(deps, trx, caller, {
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

/** What the checks need to know, in one round trip. */
async function beforeCreate(trx: TenantTransaction, tenantId: string, { clientId, items }: CreateQuote) {
  const linked = [...new Set(items.flatMap(({ productId }) => productId || []))];
  const [tenants, clients, counted] = await sendAtOnce(trx, [
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
    {
      name: 'products-counted',
      text: 'select count(*)::int as count from products where tenant_id = $1 and id = any($2)',
      values: [tenantId, linked],
    },
  ]);
  // The columns are those of the statements above.
  const [tenant] = tenants as Terms[];
  if (!tenant) throw new Error('the business is gone');
  const [client] = clients as ClientOfQuote[];
  const [{ count: found } = { count: 0 }] = counted as { count: number }[];
  return { tenant, client, products: { linked: linked.length, found } };
}
