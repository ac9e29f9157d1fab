import sql, { empty } from 'sql-template-tag';
import type { Client } from '../../db/models/client.ts';
import type { Product } from '../../db/models/product.ts';
import type { Tenant } from '../../db/models/tenant.ts';
import { named, type NamedStatement, type Sender } from '../../db/pipeline.ts';
import type { CopiedMembers } from './copy-from-products.ts';

/** The members of a client that quotes and their events show. */
export type ClientOfQuote = Pick<Client, 'id' | 'contactName' | 'companyName' | 'email' | 'phone'>;

type ProductOfLine = Pick<Product, 'id' | 'name' | 'modelSku'> & Partial<CopiedMembers>;

type Terms = Pick<
  Tenant,
  | 'currency'
  | 'taxRate'
  | 'taxes'
  | 'country'
  | 'quoteValidityDays'
  | 'defaultNotes'
  | 'defaultTerms'
  | 'numberFormat'
  | 'timeZone'
>;

/** What the checks of a new quote need to know, and what it begins with. */
export interface CreateContext {
  readonly tenant: Terms;
  readonly client: ClientOfQuote | undefined;
  /** The products that its lines link to and that exist. */
  readonly products: ReadonlyMap<string | null, ProductOfLine>;
  readonly isStepDone: boolean;
  /** Null unless the client and all the products exist. */
  readonly quoteNumber: number | null;
}

type Row = Terms &
  Pick<CreateContext, 'isStepDone' | 'quoteNumber'> & {
    readonly client: ClientOfQuote | null;
    readonly products: readonly ProductOfLine[];
  };

/** What the context of a new quote depends on. */
export interface ContextQuery {
  readonly clientId: string;
  /** Unique ids of the products that its lines link to. */
  readonly linked: readonly string[];
  /** Whether lines copy members of their products. */
  readonly copies?: boolean;
}

/**
 * Reads the context of a new quote and takes the quote's number, in one statement. The counter's row stays locked until the
 * transaction ends, so a quote whose client or product is missing takes none; a transaction that fails gives it back.
 */
export function createContextStatement(
  tenantId: string,
  { clientId, linked, copies = false }: ContextQuery,
): NamedStatement {
  const copied = copies ? sql`, 'unit', unit, 'taxes', taxes, 'description', description` : empty;
  return named(
    // A name stands for one text.
    copies ? 'load-create-context-to-copy' : 'load-create-context',
    sql`with context as materialized (
        select t.id as tenant_id, t.currency, t.tax_rate, t.taxes, t.country, t.quote_validity_days, t.default_notes,
          t.default_terms, t.number_format, t.time_zone,
          exists (select from onboarding_steps where tenant_id = t.id and name = 'first_quote') as is_step_done,
          (select json_build_object('id', id, 'contactName', contact_name, 'companyName', company_name, 'email', email, 'phone', phone)
             from clients where tenant_id = t.id and id = ${clientId} and is_active) as client,
          (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'modelSku', model_sku${copied})), '[]')
             from products where tenant_id = t.id and id = any(${linked}::text[])) as products
        from tenants t where t.id = ${tenantId}
      ), number as (
        update quote_counters set last_number = last_number + 1
         where tenant_id = (select tenant_id from context where client is not null and json_array_length(products) = ${linked.length}::int)
        returning last_number
      )
      select currency, tax_rate as "taxRate", taxes, country, quote_validity_days as "quoteValidityDays",
        default_notes as "defaultNotes", default_terms as "defaultTerms", number_format as "numberFormat", time_zone as "timeZone", is_step_done as "isStepDone", client, products,
        (select last_number from number) as "quoteNumber"
      from context`,
  );
}

/** The context that the rows of the statement give. */
export function createContextOf(rows: readonly unknown[] | undefined): CreateContext {
  // The columns are those of the statement.
  const [row] = (rows ?? []) as readonly Row[];
  if (!row) throw new Error('the business is gone');
  const { client, products, isStepDone, quoteNumber, ...tenant } = row;
  return {
    tenant,
    client: client ?? undefined,
    products: new Map(products.map((product) => [product.id, product])),
    isStepDone,
    quoteNumber,
  };
}

/** Sends the statement by itself. Throws when the business is gone. */
export async function loadCreateContext({ tenantId, send }: Sender, query: ContextQuery): Promise<CreateContext> {
  const [rows] = await send([createContextStatement(tenantId, query)]);
  return createContextOf(rows);
}

/** Unique ids of the products that lines link to. */
export const linkedProducts = (items: readonly { readonly productId?: string | null }[]): readonly string[] => [
  ...new Set(items.flatMap(({ productId }) => productId || [])),
];
