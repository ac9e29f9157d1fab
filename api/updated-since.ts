import type { Knex } from 'knex';
import { changesCompleteUntil } from '../db/reads/complete-changes.ts';
import { AT_MICROSECONDS } from '../db/reads/keyset.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import type { TimeZone } from '../domain/zone.ts';
import { parseTime } from './date-range.ts';

/** The changes that a caller with `updatedSince` may read now: those that no other change can precede any more. */
export interface ReadableChanges {
  readonly since: Date;
  /** Exclusive, in microseconds since 1970. */
  readonly until: string;
}

/** Ask before the statement that reads the changes. */
export async function readableChanges(
  trx: TenantTransaction,
  updatedSince: string,
  timeZone: TimeZone,
): Promise<ReadableChanges> {
  const { from: since } = parseTime('updatedSince', updatedSince, timeZone);
  return { since, until: await changesCompleteUntil(trx) };
}

/** SQL for "changed within", for whereRaw(...). */
export const isIn = ({ since, until }: ReadableChanges, column: string): [string, Knex.RawBinding[]] => [
  `?? >= ? and ?? < ${AT_MICROSECONDS}`,
  [column, since, column, until],
];
