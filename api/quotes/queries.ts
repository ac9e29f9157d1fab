import type { Knex } from 'knex';
import type { Client } from '../../db/models/client.ts';
import { Quote } from '../../db/models/quote.ts';
import { asFullQuote, type FullQuote } from '../../db/reads/quote-facts.ts';
import { anyContains, numberIn } from '../../db/reads/search.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { quoteNotFound } from '../../domain/errors.ts';
import { can } from '../../domain/permissions.ts';
import type { ListQuotes } from './schema.ts';

/** A quote that the caller may see, with lines, client and creator; else the one 404 (spec, section 4 rule 1). */
export async function findVisibleQuote(trx: TenantTransaction, caller: Caller, quoteId: string): Promise<FullQuote> {
  const quote = await Quote.query(trx)
    .modify('visibleTo', caller)
    .findOne('quotes.id', quoteId)
    .withGraphFetched('[items.product, client, user]');
  if (!quote) throw quoteNotFound();
  return asFullQuote(quote);
}

/** One row of the list: the quote's own columns, and what is joined to them. */
export interface QuoteListRow {
  readonly id: string;
  readonly quoteNumber: number;
  readonly status: Quote['status'];
  readonly version: number;
  readonly currency: string;
  readonly subtotal: string;
  readonly tax: string;
  readonly shippingCost: string;
  readonly total: string;
  readonly notes: string;
  readonly expiresAt: Date;
  readonly viewCount: number;
  readonly createdAt: Date;
  readonly client: Pick<Client, 'id' | 'contactName' | 'companyName' | 'email' | 'phone'>;
  readonly userName: string;
  readonly itemCount: number;
}

/** One page of the quotes that the caller may see, newest number first, and how many there are in all. */
export async function listQuotes(
  trx: TenantTransaction,
  caller: Caller,
  query: ListQuotes,
): Promise<{ quotes: readonly QuoteListRow[]; total: number }> {
  const matching = filtered(trx, caller, query);
  const counted = await matching.clone().count<{ count: string }[]>('* as count');
  const pageOfQuotes = matching
    .clone()
    .select('quotes.*')
    .orderBy('quotes.quoteNumber', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit);

  // The page first, then the joins: under row-level security a plain join loses the ordered index.
  const rows = (await trx
    .from(pageOfQuotes.as('q'))
    .leftJoin('clients as c', (on) => on.on('c.tenantId', 'q.tenantId').andOn('c.id', 'q.clientId'))
    .leftJoin('users as u', (on) => on.on('u.tenantId', 'q.tenantId').andOn('u.id', 'q.userId'))
    .select('q.*', 'u.name as userName', 'c.contactName', 'c.companyName', 'c.email', 'c.phone')
    .select(
      trx.raw('(select count(*)::int from quote_items i where i.tenant_id = q.tenant_id and i.quote_id = q.id) as ??', [
        'itemCount',
      ]),
    )
    // The columns are those of the select above.
    .orderBy('q.quoteNumber', 'desc')) as (Omit<QuoteListRow, 'client'> & { clientId: string } & Client)[];
  const quotes = rows.map(({ clientId, contactName, companyName, email, phone, ...row }) => ({
    ...row,
    client: { id: clientId, contactName, companyName, email, phone },
  }));
  return { quotes, total: Number(counted[0]?.count ?? 0) };
}

function filtered(trx: TenantTransaction, caller: Caller, { search, status }: ListQuotes): Knex.QueryBuilder {
  const query = trx('quotes').where('quotes.tenantId', caller.tenantId);
  if (!can(caller.role, 'quotes:read_all')) void query.where('quotes.userId', caller.userId);
  if (status) void query.where('quotes.status', status);
  if (search) void query.where((either) => matchesSearch(trx, either, caller.tenantId, search));
  return query;
}

/** A number names that quote; any text is looked for in the client's contact and company name. */
function matchesSearch(trx: TenantTransaction, either: Knex.QueryBuilder, tenantId: string, search: string): void {
  const clients = trx('clients')
    .select('clients.id')
    .where('clients.tenantId', tenantId)
    .whereRaw(...anyContains(['clients.contactName', 'clients.companyName'], search));
  void either.whereIn('quotes.clientId', clients);
  const number = numberIn(search);
  if (number !== undefined) void either.orWhere('quotes.quoteNumber', number);
}
