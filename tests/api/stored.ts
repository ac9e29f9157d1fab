import { AuditLog } from '../../db/models/audit-log.ts';
import { OutboxEvent } from '../../db/models/outbox-event.ts';
import { Quote } from '../../db/models/quote.ts';
import { service } from './service.ts';

/** What a business has in the database, for tests that ask whether something was written, once, or not at all. */

const TABLES = ['clients', 'quotes', 'quoteItems', 'auditLogs', 'outboxEvents', 'files'] as const;

/** How many rows the business has in each table, and the last number that its counter gave. */
export async function rowCounts({ tenantId }: { tenantId: string }): Promise<Record<string, number>> {
  const { deps } = await service();
  return deps.withTenant(tenantId, async (trx) => {
    const counted: Record<string, number> = {};
    for (const table of TABLES) {
      const [row] = await trx(table).where({ tenantId }).count<{ count: string }[]>('* as count');
      counted[table] = Number(row?.count);
    }
    const counter = await trx('quoteCounters').where({ tenantId }).first<{ lastNumber: number }>('lastNumber');
    return { ...counted, lastNumber: counter.lastNumber };
  });
}

export async function storedQuote({ tenantId }: { tenantId: string }, id: string): Promise<Quote> {
  const { deps } = await service();
  return deps.withTenant(tenantId, (trx) => Quote.query(trx).findOne({ tenantId, id }).throwIfNotFound());
}

/** The audit entries of one record, in the order of writing. */
export async function auditOf({ tenantId }: { tenantId: string }, entityId: string) {
  const { deps } = await service();
  const rows = await deps.withTenant(tenantId, (trx) =>
    AuditLog.query(trx).where({ tenantId, entityId }).orderBy('createdAt'),
  );
  return rows.map(({ action, actor, userId, entity, requestId, metadata }) => ({
    action,
    actor,
    userId,
    entity,
    requestId,
    metadata: JSON.parse(metadata) as Record<string, unknown>,
  }));
}

/** What is told of a quote or a client. */
interface EventData {
  readonly quote?: Readonly<Record<string, unknown>>;
  readonly client?: Readonly<Record<string, unknown>>;
  readonly previousStatus?: string;
}

/** The outbox events of one quote, or of the whole business, in the order of writing; `body` is what webhooks get. */
export async function eventsOf({ tenantId }: { tenantId: string }, quoteId?: string) {
  const { deps } = await service();
  const rows = await deps.withTenant(tenantId, (trx) =>
    OutboxEvent.query(trx)
      .where({ tenantId, ...(quoteId !== undefined && { quoteId }) })
      .orderBy('sequence'),
  );
  return rows.map(({ type, requestId, payload }) => ({
    type,
    requestId,
    body: JSON.parse(payload) as { event: string; timestamp: string; data: EventData },
  }));
}
