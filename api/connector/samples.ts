import { OutboxEvent } from '../../db/models/outbox-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { EVENTS, type SubscribableEvent } from '../../domain/event-types.ts';
import { eventBody } from '../../domain/events.ts';
import { can } from '../../domain/permissions.ts';
import type { Sample } from './schema.ts';

const MAX_SAMPLES = 3;

/**
 * The newest webhook bodies of an event type, so that a platform can show real members and values. Without any event,
 * one example. A collaborator gets only events of own quotes.
 */
export async function samplesOf(
  trx: TenantTransaction,
  caller: Caller,
  event: SubscribableEvent,
): Promise<readonly Sample[]> {
  const { tenantId, userId, role } = caller;
  const events = await OutboxEvent.query(trx)
    .where({ 'outboxEvents.tenantId': tenantId, 'outboxEvents.type': event })
    .modify((query) => {
      if (!event.startsWith('quote.') || can(role, 'quotes:read_all')) return;
      void query.whereExists(
        trx('quotes')
          .where({ 'quotes.tenantId': tenantId, 'quotes.userId': userId })
          .whereRaw('quotes.id = outbox_events.quote_id'),
      );
    })
    .orderBy('outboxEvents.sequence', 'desc')
    .limit(MAX_SAMPLES);
  const bodies =
    events.length > 0 ? events.map(({ payload }) => payload) : [eventBody(event, new Date(), EVENTS[event].sample)];
  // Written by `eventBody`, whose members the schema names.
  return bodies.map((body) => JSON.parse(body) as Sample);
}
