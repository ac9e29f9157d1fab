import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Where the database keeps secrets that can be read again. */
const SEALED = {
  webhookSecret: { table: 'webhooks', column: 'secret_sealed', id: 'id' },
  previousWebhookSecret: { table: 'webhooks', column: 'previous_secret_sealed', id: 'id' },
  publicToken: { table: 'quotes', column: 'public_token_sealed', id: 'id' },
  oneTimeToken: { table: 'mails', column: 'token_sealed', id: 'id' },
  twoFactorSecret: { table: 'two_factors', column: 'secret_sealed', id: 'user_id' },
  idempotentAnswer: { table: 'idempotency_keys', column: 'answer_sealed', id: 'scope' },
} as const;

export type SealedKind = keyof typeof SEALED;
export const SEALED_KINDS: readonly SealedKind[] = [
  'webhookSecret',
  'previousWebhookSecret',
  'publicToken',
  'oneTimeToken',
  'twoFactorSecret',
  'idempotentAnswer',
];

/** As "table.column". */
export const columnOf = (kind: SealedKind): string => `${SEALED[kind].table}.${SEALED[kind].column}`;

interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

export interface ResealRequest {
  readonly kind: SealedKind;
  /** How texts begin that need nothing. */
  readonly newest: string;
  /** The last row of the batch before; empty for the first. */
  readonly after: string;
  readonly limit: number;
  /** The same secret, resealed; undefined when it cannot be read. */
  readonly reseal: (row: SealedRow) => string | undefined;
}

export interface Resealed {
  readonly renewed: number;
  readonly unreadable: readonly string[];
  /** Where the next batch begins; undefined when there is none. */
  readonly after: string | undefined;
}

/**
 * Reseals one batch of a business's secrets. A row that another transaction writes meanwhile keeps that value: it is
 * sealed with the newest key, or will be found again.
 */
export async function resealBatch(trx: TenantTransaction, request: ResealRequest): Promise<Resealed> {
  const { table, column, id } = SEALED[request.kind];
  const { rows } = await trx.raw<{ rows: SealedRow[] }>(
    `select ${id} as id, ${column} as sealed from ${table}
      where tenant_id = ? and ${column} is not null and not starts_with(${column}, ?) and ${id} > ?
      order by ${id} limit ?`,
    [tenantOf(trx), request.newest, request.after, request.limit],
  );
  const resealed = await resealRows(trx, rows, request);
  return { ...resealed, after: rows.length < request.limit ? undefined : rows.at(-1)?.id };
}

/** Reseals rows that still have the value that was read. */
export async function resealRows(
  trx: TenantTransaction,
  rows: readonly SealedRow[],
  { kind, reseal }: Pick<ResealRequest, 'kind' | 'reseal'>,
): Promise<Omit<Resealed, 'after'>> {
  const { table, column, id } = SEALED[kind];
  let renewed = 0;
  const unreadable: string[] = [];
  for (const row of rows) {
    const fresh = reseal(row);
    if (fresh === undefined) {
      unreadable.push(row.id);
      continue;
    }
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `update ${table} set ${column} = ? where tenant_id = ? and ${id} = ? and ${column} = ?`,
      [fresh, tenantOf(trx), row.id, row.sealed],
    );
    renewed += rowCount;
  }
  return { renewed, unreadable };
}
