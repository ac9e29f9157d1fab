import type { Knex } from 'knex';
import type { TenantTransaction } from '../with-tenant.ts';

/** A LIKE pattern for "contains this text": the wildcards in it are literal. */
const containing = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/** The number that a search names: 12 in "12", "COT-12" and "cot 12". */
export function numberIn(term: string): number | undefined {
  const [, digits] = /^(?:cot[- ]?)?0*(\d{1,9})$/i.exec(term.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** SQL for "one of the columns contains the term, whatever its case and accents", for whereRaw(...). */
export const anyContains = (columns: readonly string[], term: string): [string, string[]] => [
  `(${columns.map(() => `search_text(??) like search_text(?) escape '\\'`).join(' or ')})`,
  columns.flatMap((column) => [column, containing(term)]),
];

// find_clients_by_name and find_clients_by_text are look-ups (migration index_client_texts): below row-level security a LIKE
// cannot use an index, inside them it can. They keep to the transaction's tenant.

/**
 * SQL for "the column is the id of a client of this tenant that contains the term" in a name or in the e-mail: one array,
 * which is made first and may be an index condition. For whereRaw(...).
 */
export const isAnyClientContaining = (column: string, term: string): [string, string[]] => [
  '?? = any(array(select client_id from find_clients_by_text(search_text(?))))',
  [column, containing(term)],
];

/** More clients than this are not worth looking their quotes up one by one. */
const FEW = 200;

/** What a search for quotes names. */
export interface Named {
  /** The ids of the clients when they are few, undefined when they are many. */
  readonly clients: readonly string[] | undefined;
  /** Whether there are quotes that were sent under such a name, which their client no longer has. */
  readonly formerly: boolean;
}

export async function findNamed(trx: TenantTransaction, term: string): Promise<Named> {
  const pattern = containing(term);
  const { rows } = await trx.raw<{ rows: { clientId: string | null }[] }>(
    // In the list of columns a function is asked row by row; behind FROM it would first find all.
    `(select find_clients_by_name(search_text(?)) as "clientId" limit ${FEW + 1})
     union all (select null from (select find_quotes_by_former_client(search_text(?)) limit 1) former)`,
    [pattern, pattern],
  );
  const clients = rows.flatMap(({ clientId }) => clientId ?? []);
  return { clients: clients.length > FEW ? undefined : clients, formerly: clients.length < rows.length };
}

/** SQL for "the column is the id of a quote that was sent under a name like the term". For whereRaw(...). */
export const isSentUnder = (column: string, term: string): [string, string[]] => [
  '?? = any(array(select quote_id from find_quotes_by_former_client(search_text(?))))',
  [column, containing(term)],
];

/** The ids of all clients that a search for quotes names, as a table of one column. */
export const clientsNamed = (trx: TenantTransaction, term: string): Knex.Raw =>
  trx.raw('select client_id from find_clients_by_name(search_text(?))', [containing(term)]);
