import type { Knex } from 'knex';
import type { TenantTransaction } from '../with-tenant.ts';

/** A LIKE pattern for "contains this text", with its wildcards escaped. */
const containing = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/** The quote number in a search: 12 in "12", "COT-12" and "cot 12". */
export function numberIn(term: string): number | undefined {
  const [, digits] = /^(?:cot[- ]?)?0*(\d{1,9})$/i.exec(term.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** SQL for "one of the columns contains the term", ignoring case and accents, for whereRaw(...). */
export const anyContains = (columns: readonly string[], term: string): [string, string[]] => [
  `(${columns.map(() => `search_text(??) like search_text(?) escape '\\'`).join(' or ')})`,
  columns.flatMap((column) => [column, containing(term)]),
];

// find_clients_by_name and find_clients_by_text are SECURITY DEFINER functions: with row-level security a LIKE cannot
// use an index, inside them it can. They filter by the transaction's tenant.

/**
 * SQL for "the column is the id of a client of this tenant whose name or e-mail contains the term": one array, computed
 * first, which may be an index condition. For whereRaw(...).
 */
export const isAnyClientContaining = (column: string, term: string): [string, string[]] => [
  '?? = any(array(select client_id from find_clients_by_text(search_text(?))))',
  [column, containing(term)],
];

/** Above this number of clients their quotes are not looked up one by one. */
const MAX_CLIENTS_BY_ID = 200;

/** What a search for quotes matches. */
export interface MatchingNames {
  /** The ids of the clients when they are few, undefined when they are many. */
  readonly clients: readonly string[] | undefined;
  /** Whether there are quotes sent under a matching name that their client no longer has. */
  readonly formerly: boolean;
}

export async function findMatchingNames(trx: TenantTransaction, term: string): Promise<MatchingNames> {
  const pattern = containing(term);
  const { rows } = await trx.raw<{ rows: { clientId: string | null }[] }>(
    // In the select list the function is evaluated lazily, row by row; in FROM it would find all rows first.
    `(select find_clients_by_name(search_text(?)) as "clientId" limit ${MAX_CLIENTS_BY_ID + 1})
     union all (select null from (select find_quotes_by_former_client(search_text(?)) limit 1) former)`,
    [pattern, pattern],
  );
  const clients = rows.flatMap(({ clientId }) => clientId ?? []);
  return { clients: clients.length > MAX_CLIENTS_BY_ID ? undefined : clients, formerly: clients.length < rows.length };
}

/** SQL for "the column is the id of a quote that was sent under a name like the term". For whereRaw(...). */
export const isSentUnder = (column: string, term: string): [string, string[]] => [
  '?? = any(array(select quote_id from find_quotes_by_former_client(search_text(?))))',
  [column, containing(term)],
];

/** The ids of all clients that a search for quotes matches, as a table of one column. */
export const clientsNamed = (trx: TenantTransaction, term: string): Knex.Raw =>
  trx.raw('select client_id from find_clients_by_name(search_text(?))', [containing(term)]);
