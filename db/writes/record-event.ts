import type { ChainLink } from '../../domain/automation-chain.ts';
import { type EventType, eventBody } from '../../domain/events.ts';
import { type NamedStatement, sendAtOnce } from '../at-once.ts';
import { newId } from '../ids.ts';
import { markEventRecorded, tenantOf, type TenantTransaction, traceparentOf } from '../with-tenant.ts';

/** What an event came of: the place in a chain of automations that it takes. */
export interface Cause extends ChainLink {
  /** The event at the head of the chain. */
  readonly rootEventId: string;
}

export interface NewEvent {
  /** A given id makes the event unique where the step that writes it may run twice. */
  readonly id?: string;
  readonly type: EventType;
  /** The quote it happened to, if any. The caller holds that row's lock, which puts its events in order. */
  readonly quoteId?: string;
  /** `data` of the body that webhooks get. */
  readonly data: object;
  readonly requestId: string | null;
  /** Where it stands in a chain of automations; absent when it begins one. */
  readonly cause?: Cause | undefined;
}

/** Writes what happened to the outbox, in the transaction in which it happens. The dispatcher takes it from there. */
export async function recordEvent(trx: TenantTransaction, event: NewEvent): Promise<void> {
  await sendAtOnce(trx, [outboxEvent(trx, event)]);
}

/** The same as a statement that goes with others; it must be sent. */
export function outboxEvent(trx: TenantTransaction, event: NewEvent): NamedStatement {
  const id = event.id ?? newId();
  const { rootEventId, depth, automationPath } = event.cause ?? { rootEventId: id, depth: 0, automationPath: '' };
  markEventRecorded(trx);
  return {
    name: 'record-event',
    text: `insert into outbox_events (id, tenant_id, type, quote_id, payload, root_event_id, depth, automation_path, request_id,
                                 traceparent)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      id,
      tenantOf(trx),
      event.type,
      event.quoteId ?? null,
      eventBody(event.type, new Date(), event.data),
      rootEventId,
      depth,
      automationPath,
      event.requestId,
      traceparentOf(trx),
    ],
  };
}
