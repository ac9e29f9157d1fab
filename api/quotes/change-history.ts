import type { TenantTransaction } from '../../db/with-tenant.ts';
import { newestFirst } from '../../db/reads/newest-first.ts';
import type { Caller } from '../../domain/caller.ts';
import { QUOTE_STATUSES, type QuoteStatus } from '../../domain/quote-status.ts';
import type { ResponseBody } from '../schema.ts';
import type { ListHistory, QuoteChange, QuoteChangeType } from './change-history-schema.ts';
import { findVisibleRow } from './queries.ts';

interface HistoryRow {
  readonly id: string;
  readonly action: string;
  readonly actor: string;
  readonly metadata: string;
  readonly createdAt: Date;
  readonly userName: string | null;
}

/** A page of what happened to a visible quote, newest first. */
export async function historyOf(
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, page, limit }: ListHistory & { readonly quoteId: string },
): Promise<{ readonly changes: readonly ResponseBody<typeof QuoteChange>[]; readonly total: number }> {
  await findVisibleRow(trx, caller, quoteId);
  const { tenantId } = caller;
  const entries = trx('auditLogs').where({ tenantId, entity: 'quote', entityId: quoteId });
  const [counted] = await entries.clone().count<{ count: string }[]>('* as count');
  const onPage = entries
    .clone()
    .orderBy(newestFirst())
    .limit(limit)
    .offset((page - 1) * limit);
  const rows: HistoryRow[] = await trx
    .from(onPage.as('a'))
    .leftJoin('users as u', (on) => on.on('u.tenantId', 'a.tenantId').andOn('u.id', 'a.userId'))
    .select('a.id', 'a.action', 'a.actor', 'a.metadata', 'a.createdAt', 'u.name as userName')
    .orderBy(newestFirst('a'));
  return { changes: rows.map(changeOf), total: Number(counted?.count ?? 0) };
}

/** What the service itself wrote to the audit log about a quote. */
interface Metadata {
  readonly from?: string;
  readonly to?: string;
  readonly version?: number;
  readonly before?: { readonly version?: number; readonly expiresAt?: string };
  readonly after?: { readonly version?: number; readonly expiresAt?: string };
  readonly labelAdded?: { readonly name: string };
  readonly labelRemoved?: { readonly name: string };
  readonly attachmentAdded?: { readonly name: string };
  readonly attachmentRemoved?: { readonly name: string };
}

function changeOf({ id, action, actor, metadata, createdAt, userName }: HistoryRow): ResponseBody<typeof QuoteChange> {
  const details = JSON.parse(metadata) as Metadata;
  const { labelAdded, labelRemoved, attachmentAdded, attachmentRemoved } = details;
  return {
    id,
    type: typeOf(action, details),
    at: createdAt.toISOString(),
    by: { kind: actor === 'key' ? 'user' : kindOf(actor), name: userName },
    from: statusOf(details.from),
    to: statusOf(details.to),
    version: details.after?.version ?? details.version ?? null,
    expiresAt: details.after?.expiresAt ?? null,
    name: (labelAdded ?? labelRemoved ?? attachmentAdded ?? attachmentRemoved)?.name ?? null,
  };
}

const kindOf = (actor: string) => (actor === 'user' ? 'user' : actor === 'portal' ? 'client' : 'service');

const statusOf = (status: string | undefined): QuoteStatus | null =>
  QUOTE_STATUSES.find((each) => each === status) ?? null;

const BY_ACTION: Readonly<Record<string, QuoteChangeType>> = {
  create: 'created',
  duplicate: 'created',
  'quote.revised': 'revised',
  share: 'shared',
  status_change: 'status_changed',
  rotate: 'link_rotated',
  message: 'message_sent',
  changes_requested: 'changes_requested',
};

function typeOf(action: string, details: Metadata): QuoteChangeType {
  if (details.labelAdded) return 'label_added';
  if (details.labelRemoved) return 'label_removed';
  if (details.attachmentAdded) return 'attachment_added';
  if (details.attachmentRemoved) return 'attachment_removed';
  if (action === 'update' && details.after?.expiresAt) return 'expiry_changed';
  return BY_ACTION[action] ?? 'updated';
}
