import sql, { type Sql } from 'sql-template-tag';
import type { ChainLink } from '../../domain/automation-chain.ts';
import type { EventType } from '../../domain/event-types.ts';
import { eventBody } from '../../domain/events.ts';
import { newId } from '../ids.ts';
import { named, send, type Sender, senderOf } from '../pipeline.ts';
import type { TenantTransaction } from '../with-tenant.ts';

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
  await send(trx, [{ ...named('record-event', outboxEvent(senderOf(trx), event)), wakesDispatcher: true }]);
}

/** The insert of an event, for statements that write more than that; they say that they record one. */
export function outboxEvent({ tenantId, traceparent }: Omit<Sender, 'send'>, event: NewEvent): Sql {
  const id = event.id ?? newId();
  const { rootEventId, depth, automationPath } = event.cause ?? { rootEventId: id, depth: 0, automationPath: '' };
  const payload = eventBody(event.type, new Date(), event.data);
  return sql`insert into outbox_events (id, tenant_id, type, quote_id, payload, root_event_id, depth, automation_path, request_id,
                                 traceparent)
    values (${id}, ${tenantId}, ${event.type}, ${event.quoteId ?? null}, ${payload}, ${rootEventId}, ${depth},
            ${automationPath}, ${event.requestId}, ${traceparent})`;
}
