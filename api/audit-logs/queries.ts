import type { Knex } from 'knex';
import type { AuditLog } from '../../db/models/audit-log.ts';
import { isAfter, MICROSECONDS, NEWEST, type PageQuery, type Position } from '../../db/reads/keyset.ts';
import { newestFirst } from '../../db/reads/newest-first.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { countAuditLog } from '../../db/reads/count-audit-log.ts';
import { dateRangeOf } from '../date-range.ts';
import type { ListAuditLogs } from './schema.ts';

export interface AuditLogRow extends Pick<
  AuditLog,
  'id' | 'action' | 'entity' | 'entityId' | 'metadata' | 'tenantId' | 'createdAt' | 'userId'
> {
  readonly userName: string | null;
  readonly userEmail: string | null;
}

/** One page of the tenant's audit log, newest first; by its number also the number of matching entries. */
export async function listAuditLogs(
  trx: TenantTransaction,
  { tenantId, timeZone }: Pick<Caller, 'tenantId' | 'timeZone'>,
  filter: ListAuditLogs & Pick<PageQuery, 'after'>,
): Promise<{ entries: readonly AuditLogRow[]; total: number | undefined; last: Position | null }> {
  const { action, entity, userId, page, limit, after } = filter;
  const { from, until } = dateRangeOf(filter, timeZone);
  const matching = trx('auditLogs').where({ tenantId });
  if (action !== undefined) void matching.where({ action });
  if (entity !== undefined) void matching.where({ entity });
  if (userId !== undefined) void matching.where({ userId });
  if (from) void matching.where('createdAt', '>=', from);
  if (until) void matching.where('createdAt', '<', until);

  const isWhole = [action, entity, userId, from, until].every((given) => given === undefined);
  const total = after ? undefined : await (isWhole ? countAuditLog(trx) : counted(matching));
  const onPage = matching
    .clone()
    .orderBy(newestFirst())
    .limit(limit + 1);
  if (after) void onPage.whereRaw(...isAfter(NEWEST, 'auditLogs', after));
  else void onPage.offset((page - 1) * limit);
  // The page first, then the users: under row-level security a plain join loses the ordered index.
  const found: (AuditLogRow & { readonly sortTime: string })[] = await trx
    .from(onPage.as('a'))
    .leftJoin('users as u', (on) => on.on('u.tenantId', 'a.tenantId').andOn('u.id', 'a.userId'))
    .select('a.id', 'a.action', 'a.entity', 'a.entityId', 'a.metadata', 'a.tenantId', 'a.createdAt', 'a.userId')
    .select('u.name as userName', 'u.email as userEmail', trx.raw(`${MICROSECONDS} as ??`, ['a.createdAt', 'sortTime']))
    .orderBy(newestFirst('a'));
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, total, last: found.length > limit && last ? [last.sortTime, last.id] : null };
}

async function counted(matching: Knex.QueryBuilder): Promise<number> {
  const [row] = await matching.clone().count<{ count: string }[]>('* as count');
  return Number(row?.count ?? 0);
}
