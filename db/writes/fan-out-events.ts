import { NOTICED_EVENTS } from '../../domain/event-effects.ts';
import { type EventType, SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { hasFeature, type Plan } from '../../domain/plans.ts';
import type { DispatcherDb } from '../dispatcher-db.ts';
import { newId } from '../ids.ts';
import type { Webhook } from '../models/webhook.ts';
import { type NamedStatement, send } from '../pipeline.ts';
import { prepared } from '../prepared.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { LOOKAHEAD, RANKED_IDS, roundRobin, type WaitingRows } from './dispatch-rows.ts';
import { type FannedOutEvent, insertEffectsOnQuote } from './quote-event-effects.ts';

/** An event that is to be fanned out. */
export interface PendingFanOut {
  readonly id: string;
  readonly tenantId: string;
  /** Where in a trace it was written. */
  readonly traceparent: string | null;
}

const NOT_FANNED_OUT: WaitingRows = {
  table: 'outbox_events',
  waits: 'd.fanned_out_at is null',
  due: 'd.fan_out_after <= now()',
  age: 'd.sequence',
};

/**
 * Reads the oldest events that are not fanned out, tenants in turn, and marks those that can have no effect, in one
 * statement: most tenants have neither webhooks nor automations. Returns the others, and how many it looked at. Over all
 * tenants.
 */
export async function discardIrrelevantEvents(
  knex: DispatcherDb,
  limit: number,
): Promise<{ events: readonly PendingFanOut[]; seen: number }> {
  const { rows } = await prepared<PendingFanOut & { matters: boolean }>(knex, 'claim-fan-out', {
    text: `with recursive ${roundRobin(NOT_FANNED_OUT)}, due as materialized (
       select d.id, d.tenant_id, d.type, d.sequence, d.traceparent from outbox_events d join ranked on ranked.id = d.id
        where ${RANKED_IDS} and ${NOT_FANNED_OUT.waits} and ${NOT_FANNED_OUT.due}
        order by ranked.rank, d.sequence limit ? for update of d skip locked
     ), judged as materialized (
       select d.*,
              d.type = any (?)
              or exists (select from webhooks w where w.tenant_id = d.tenant_id and w.is_active and d.type = any (w.events))
              or d.type like 'quote.%'
                 and exists (select from automations a where a.tenant_id = d.tenant_id and a.is_active) as matters
         from due d
     ), marked as (
       update outbox_events e set fanned_out_at = now() from judged j where e.id = j.id and not j.matters
     )
     select id, tenant_id as "tenantId", traceparent, matters from judged order by sequence`,
    bindings: [LOOKAHEAD * limit, limit, NOTICED_EVENTS],
  });
  const events = rows.filter(({ matters }) => matters).map(({ matters: _matters, ...event }) => event);
  return { events, seen: rows.length };
}

/** Fan-out failed: backs off for half a minute, so that the event does not block others. */
export async function backOffFanOut(knex: DispatcherDb, eventId: string): Promise<void> {
  await knex('outboxEvents')
    .where({ id: eventId })
    .update({ fanOutAfter: knex.raw("now() + interval '30 seconds'") });
}

/**
 * Inserts the effects of events, in their order: deliveries to webhooks, automation runs, notifications. In the same
 * transaction the events are marked, and each row is unique by event and target, so it happens once. Skips events that
 * another dispatcher is fanning out, or has.
 */
export async function fanOutEvents(trx: TenantTransaction, eventIds: readonly string[]): Promise<void> {
  const tenantId = tenantOf(trx);
  const { events, plan, webhooks } = await lockEvents(trx, eventIds);
  if (events.length === 0) return;
  const done = [
    ...insertDeliveries(tenantId, hasFeature(plan, 'webhooks') ? subscriptions(events, webhooks) : []),
    markFannedOut(tenantId, events),
  ];
  await send(trx, done);
  for (const event of events) if (event.quoteId !== null) await insertEffectsOnQuote(trx, event, event.quoteId, plan);
}

type Subscriber = Pick<Webhook, 'id' | 'events'>;

/** The events that are not fanned out yet, locked, with the tenant's plan and webhooks. */
async function lockEvents(
  trx: TenantTransaction,
  eventIds: readonly string[],
): Promise<{
  readonly events: readonly FannedOutEvent[];
  readonly plan: Plan;
  readonly webhooks: readonly Subscriber[];
}> {
  const tenantId = tenantOf(trx);
  const [events, tenants, webhooks] = await send(trx, [
    {
      name: 'lock-events',
      text: `select id, tenant_id as "tenantId", type, quote_id as "quoteId", payload, depth, automation_path as "automationPath"
        from outbox_events where tenant_id = $1 and id = any($2) and fanned_out_at is null
        order by sequence for update skip locked`,
      values: [tenantId, [...eventIds]],
    },
    { name: 'plan-of-tenant', text: 'select plan from tenants where id = $1', values: [tenantId] },
    {
      name: 'active-webhooks',
      text: 'select id, events from webhooks where tenant_id = $1 and is_active order by id',
      values: [tenantId],
    },
  ]);
  // The columns are those of the statements above.
  const [tenant] = tenants as { plan: Plan }[];
  if (!tenant) throw new Error('an event without a tenant');
  return { events: events as FannedOutEvent[], plan: tenant.plan, webhooks: webhooks as Subscriber[] };
}

/** A delivery that an event gives rise to. */
interface NewDelivery {
  readonly eventId: string;
  readonly webhookId: string;
  /** Position among the events that have a subscriber, from 1. */
  readonly place: number;
}

function subscriptions(events: readonly FannedOutEvent[], webhooks: readonly Subscriber[]): readonly NewDelivery[] {
  const subscribed = events
    .filter(({ type }) => isSubscribable(type))
    .map(({ id: eventId, type }) => ({ eventId, by: webhooks.filter((webhook) => isIn(webhook.events, type)) }))
    .filter(({ by }) => by.length > 0);
  return subscribed.flatMap(({ eventId, by }, index) =>
    by.map(({ id: webhookId }) => ({ eventId, webhookId, place: index + 1 })),
  );
}

/** Numbers the tenant's events that have subscribers; the first makes the counter. */
const insertDeliveries = (tenantId: string, rows: readonly NewDelivery[]): readonly NamedStatement[] =>
  rows.length === 0
    ? []
    : [
        {
          name: 'insert-deliveries',
          text: `with counted as (
              insert into event_counters as c (tenant_id, last_number) values ($1, $2)
              on conflict (tenant_id) do update set last_number = c.last_number + $2 returning last_number - $2 as before
            )
            insert into webhook_deliveries (id, tenant_id, webhook_id, event, event_id, sequence, payload)
            select w.id, $1, w.webhook_id, e.type, e.id, counted.before + w.place, e.payload
              from counted, unnest($3::text[], $4::text[], $5::text[], $6::bigint[]) as w (id, event_id, webhook_id, place)
              join outbox_events e on e.tenant_id = $1 and e.id = w.event_id
             order by w.place, w.webhook_id
            on conflict (tenant_id, webhook_id, event_id, replay) do nothing`,
          values: [
            tenantId,
            Math.max(...rows.map(({ place }) => place)),
            rows.map(() => newId()),
            rows.map(({ eventId }) => eventId),
            rows.map(({ webhookId }) => webhookId),
            rows.map(({ place }) => place),
          ],
        },
      ];

const markFannedOut = (tenantId: string, events: readonly FannedOutEvent[]): NamedStatement => ({
  name: 'mark-fanned-out',
  text: 'update outbox_events set fanned_out_at = clock_timestamp() where tenant_id = $1 and id = any($2)',
  values: [tenantId, events.map(({ id }) => id)],
});

const isSubscribable = (type: EventType): boolean => isIn(SUBSCRIBABLE_EVENTS, type);

const isIn = (events: readonly EventType[], type: EventType): boolean => events.includes(type);
