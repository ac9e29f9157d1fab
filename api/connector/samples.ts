import { OutboxEvent } from '../../db/models/outbox-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { EXAMPLE_DATA } from '../../domain/event-samples.ts';
import { eventBody, type SubscribableEvent } from '../../domain/events.ts';
import { can } from '../../domain/permissions.ts';
import type { Sample } from './schema.ts';

const MAX_SAMPLES = 3;

/**
 * The newest deliveries of an event, as webhooks get them, so that a platform shows its user real members and values.
 * One made-up body where nothing of the kind has happened. A collaborator is shown events of own quotes only.
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
    events.length > 0 ? events.map(({ payload }) => payload) : [eventBody(event, new Date(), EXAMPLE_DATA[event])];
  // Written by `eventBody`, whose members the schema names.
  return bodies.map((body) => JSON.parse(body) as Sample);
}
