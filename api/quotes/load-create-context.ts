import { sendAtOnce } from '../../db/at-once.ts';
import type { Client } from '../../db/models/client.ts';
import type { Product } from '../../db/models/product.ts';
import type { Tenant } from '../../db/models/tenant.ts';
import { nextQuoteNumber, numberOf } from '../../db/writes/allocate-quote-number.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';

/** The members of a client that quotes and their events show. */
export type ClientOfQuote = Pick<Client, 'id' | 'contactName' | 'companyName' | 'email' | 'phone'>;

type ProductOfLine = Pick<Product, 'id' | 'name' | 'modelSku'>;

/** Data for inserting a new quote. */
export interface QuoteStart {
  readonly isStepDone: boolean;
  /** The existing products that its lines link to. */
  readonly products: ReadonlyMap<string | null, ProductOfLine>;
  readonly quoteNumber: number;
}

type Terms = Pick<Tenant, 'currency' | 'taxRate' | 'quoteValidityDays' | 'defaultNotes' | 'timeZone'>;

type Before = Terms &
  Pick<QuoteStart, 'isStepDone'> & {
    readonly client: ClientOfQuote | null;
    readonly products: readonly ProductOfLine[];
  };

/**
 * Loads the data for the checks and the insert of a new quote in one round trip, and allocates its number. The
 * counter's row stays locked until the transaction ends; a rollback releases the number.
 *
 * @param linked unique ids of the products that its lines link to
 */
export async function startQuote(
  trx: TenantTransaction,
  { tenantId, clientId, linked }: { tenantId: string; clientId: string; linked: readonly string[] },
): Promise<{ readonly tenant: Terms; readonly client: ClientOfQuote | undefined; readonly start: QuoteStart }> {
  const [found, counted] = await sendAtOnce(trx, [
    {
      name: 'before-quote',
      text: `select t.currency, t.tax_rate as "taxRate", t.quote_validity_days as "quoteValidityDays",
          t.default_notes as "defaultNotes", t.time_zone as "timeZone",
          exists (select from onboarding_steps where tenant_id = $1 and name = 'first_quote') as "isStepDone",
          (select json_build_object('id', id, 'contactName', contact_name, 'companyName', company_name, 'email', email, 'phone', phone)
             from clients where tenant_id = $1 and id = $2 and is_active) as client,
          (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'modelSku', model_sku)), '[]')
             from products where tenant_id = $1 and id = any($3)) as products
        from tenants t where t.id = $1`,
      values: [tenantId, clientId, linked],
    },
    nextQuoteNumber(trx),
  ]);
  // The statement selects these columns.
  const [before] = found as Before[];
  if (!before) throw new Error('the business is gone');
  const { client, products, isStepDone, ...tenant } = before;
  const quoteNumber = numberOf(counted);
  return {
    tenant,
    client: client ?? undefined,
    start: { isStepDone, quoteNumber, products: new Map(products.map((product) => [product.id, product])) },
  };
}

/** Unique ids of the products that lines link to. */
export const linkedProducts = (items: readonly { readonly productId?: string | null }[]): readonly string[] => [
  ...new Set(items.flatMap(({ productId }) => productId || [])),
];
