import { type ChainLink, mayTrigger } from '../../domain/automation-chain.ts';
import { allHold, type Condition, evaluateCondition } from '../../domain/conditions.ts';
import { noticeOf, triggerOf } from '../../domain/event-effects.ts';
import { type EventType, SUBSCRIBABLE_EVENTS } from '../../domain/events.ts';
import { formatMoney } from '../../domain/format.ts';
import { DEFAULT_LOCALE } from '../../domain/locale.ts';
import { hasFeature, type Plan } from '../../domain/plans.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import { type NamedStatement, send } from '../pipeline.ts';
import { newId } from '../ids.ts';
import { Automation } from '../models/automation.ts';
import { AutomationLog } from '../models/automation-log.ts';
import type { OutboxEvent } from '../models/outbox-event.ts';
import type { Webhook } from '../models/webhook.ts';
import { automationFacts } from '../reads/automation-facts.ts';
import { type FullQuote, readFullQuote } from '../reads/quote-facts.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { notify, ownersAnd } from './notify.ts';

/** An event, as far as its effects depend on it. */
type FannedOutEvent = Pick<
  OutboxEvent,
  'id' | 'tenantId' | 'type' | 'quoteId' | 'payload' | 'depth' | 'automationPath'
>;

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
  const ofQuotes = events.filter(({ quoteId }) => quoteId !== null);
  if (ofQuotes.length === 0) {
    await send(trx, done);
    return;
  }
  await send(trx, done);
  for (const event of ofQuotes) {
    const quote = event.quoteId === null ? undefined : await readFullQuote(trx, event.quoteId);
    if (!quote) continue;
    const status = statusAtEvent(event, quote);
    await insertAutomationRuns(trx, event, quote, { status, plan });
    await insertNotifications(trx, event, quote, status);
  }
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

/** One automation run for each automation that the event triggers and whose conditions hold now. */
async function insertAutomationRuns(
  trx: TenantTransaction,
  event: FannedOutEvent,
  quote: FullQuote,
  { status, plan }: { status: QuoteStatus; plan: Plan },
): Promise<void> {
  const trigger = triggerOf(event.type, status);
  if (!trigger || !hasFeature(plan, 'automations')) return;
  const { tenantId } = event;
  const candidates = await Automation.query(trx).where({ tenantId, trigger, isActive: true }).orderBy('createdAt');
  const link: ChainLink = event;
  const allowed = candidates.filter(({ id }) => mayTrigger(id, link));
  if (allowed.length === 0) return;

  // No condition asks for the address of the client's page.
  const facts = await automationFacts(trx, quote, '');
  const matching = allowed.filter(({ conditions }) =>
    // Written by our own schema.
    allHold((JSON.parse(conditions) as readonly Condition[]).map((condition) => evaluateCondition(condition, facts))),
  );
  if (matching.length === 0) return;
  await AutomationLog.query(trx)
    .insert(
      matching.map(({ id, conditions, actions, delayMinutes }) => ({
        id: newId(),
        tenantId,
        automationId: id,
        quoteId: quote.id,
        eventId: event.id,
        conditions,
        actions,
        delayMinutes,
      })),
    )
    .onConflict(['tenantId', 'automationId', 'eventId'])
    .ignore();
}

async function insertNotifications(
  trx: TenantTransaction,
  event: FannedOutEvent,
  quote: FullQuote,
  status: QuoteStatus,
): Promise<void> {
  const notice = noticeOf(event.type, status);
  if (!notice) return;
  const { id: quoteId, quoteNumber, version, total, currency, client } = quote;
  // A client may look at the same version many times; members hear of the first.
  const about = notice.type === 'quote_viewed' ? `viewed.${quoteId}.v${version}` : event.id;
  await notify(trx, await ownersAnd(trx, quote.userId), {
    ...notice,
    body: `${displayNumber(quote)} · ${client.companyName ?? client.contactName} · ${formatMoney(total, currency, DEFAULT_LOCALE)}`,
    metadata: { quoteId, quoteNumber },
    about,
  });
}

/** The quote's status when the event happened: it may have moved on since. */
function statusAtEvent({ payload }: FannedOutEvent, quote: FullQuote): QuoteStatus {
  // Written by eventBody(): events of a quote carry it.
  const { data } = JSON.parse(payload) as { data: { quote?: { status?: QuoteStatus } } };
  return data.quote?.status ?? quote.status;
}

const isSubscribable = (type: EventType): boolean => isIn(SUBSCRIBABLE_EVENTS, type);

const isIn = (events: readonly EventType[], type: EventType): boolean => events.includes(type);
