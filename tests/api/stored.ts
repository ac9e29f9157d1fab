import assert from 'node:assert/strict';
import { AuditLog } from '../../db/models/audit-log.ts';
import { OutboxEvent } from '../../db/models/outbox-event.ts';
import { Quote } from '../../db/models/quote.ts';
import { problemOfBody } from './event-bodies.ts';
import { service } from './service.ts';

/** Database state of a business, for tests that check what was written. */

const TABLES = ['clients', 'quotes', 'quoteItems', 'auditLogs', 'outboxEvents', 'files'] as const;

/** The number of rows of the business per table, and the last value of its counter. */
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

/** The audit entries of a record, in the order of writing. */
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

/** The data of an event. */
interface EventData {
  readonly quote?: Readonly<Record<string, unknown>>;
  readonly client?: Readonly<Record<string, unknown>>;
  readonly previousStatus?: string;
}

/** The outbox events of a quote or of the business, in the order of writing; `body` is the webhook body, which is checked. */
export async function eventsOf({ tenantId }: { tenantId: string }, quoteId?: string) {
  const { deps } = await service();
  const rows = await deps.withTenant(tenantId, (trx) =>
    OutboxEvent.query(trx)
      .where({ tenantId, ...(quoteId !== undefined && { quoteId }) })
      .orderBy('sequence'),
  );
  for (const { type, payload } of rows) assert.equal(problemOfBody(type, payload), undefined);
  return rows.map(({ type, requestId, payload }) => ({
    type,
    requestId,
    body: JSON.parse(payload) as { event: string; timestamp: string; data: EventData },
  }));
}
