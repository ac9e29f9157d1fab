import { type ChainLink, mayTrigger } from '../../domain/automation-chain.ts';
import { allHold, type Condition, evaluateCondition } from '../../domain/conditions.ts';
import { noticeOf, triggerOf } from '../../domain/consequences.ts';
import { type EventType, SUBSCRIBABLE_EVENTS } from '../../domain/events.ts';
import { formatMoney } from '../../domain/format.ts';
import { hasFeature, type Plan } from '../../domain/plans.ts';
import { quoteLabel } from '../../domain/quote-drawing.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import { newId } from '../ids.ts';
import { Automation } from '../models/automation.ts';
import { AutomationLog } from '../models/automation-log.ts';
import { OutboxEvent } from '../models/outbox-event.ts';
import { Tenant } from '../models/tenant.ts';
import { Webhook } from '../models/webhook.ts';
import { WebhookDelivery } from '../models/webhook-delivery.ts';
import { automationFacts } from '../reads/automation-facts.ts';
import { type FullQuote, readFullQuote } from '../reads/quote-facts.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { notify, ownersAnd } from './notify.ts';

/**
 * Writes down what follows from an event, one row each: deliveries to webhooks, runs of automations, notifications. In
 * the same transaction the event is marked, and each row is unique by event and target, so it happens once. An event
 * that another relay is planning, or has planned, is left alone.
 */
export async function planEvent(trx: TenantTransaction, eventId: string): Promise<void> {
  const tenantId = tenantOf(trx);
  const event = await OutboxEvent.query(trx)
    .findOne({ tenantId, id: eventId })
    .whereNull('plannedAt')
    .forUpdate()
    .skipLocked();
  if (!event) return;

  const { plan } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  await planDeliveries(trx, event, plan);
  const quote = event.quoteId === null ? undefined : await readFullQuote(trx, event.quoteId);
  if (quote) {
    const status = statusThen(event, quote);
    await planRuns(trx, event, quote, { status, plan });
    await planNotifications(trx, event, quote, status);
  }
  await OutboxEvent.query(trx).findOne({ tenantId, id: eventId }).patch({ plannedAt: new Date() });
}

async function planDeliveries(trx: TenantTransaction, event: OutboxEvent, plan: Plan): Promise<void> {
  if (!hasFeature(plan, 'webhooks') || !isSubscribable(event.type)) return;
  const { tenantId } = event;
  const webhooks = await Webhook.query(trx)
    .where({ tenantId, isActive: true })
    .whereRaw('? = any (events)', [event.type])
    .orderBy('id');
  if (webhooks.length === 0) return;
  const sequence = await nextSequence(trx);
  await WebhookDelivery.query(trx)
    .insert(
      webhooks.map((webhook) => ({
        id: newId(),
        tenantId,
        webhookId: webhook.id,
        event: event.type,
        eventId: event.id,
        sequence,
        payload: event.payload,
      })),
    )
    .onConflict(['tenantId', 'webhookId', 'eventId', 'replay'])
    .ignore();
}

/** The next position among the events that the tenant's webhooks hear of; the first makes the counter. */
async function nextSequence(trx: TenantTransaction): Promise<string> {
  const { rows } = await trx.raw<{ rows: { sequence: string }[] }>(
    `insert into event_counters as c (tenant_id, last_number) values (?, 1)
     on conflict (tenant_id) do update set last_number = c.last_number + 1 returning last_number as sequence`,
    [tenantOf(trx)],
  );
  const [row] = rows;
  if (!row) throw new Error('the event counter gave no number');
  return row.sequence;
}

/** One run for each automation that the event triggers and whose conditions hold now; without a match, no log. */
async function planRuns(
  trx: TenantTransaction,
  event: OutboxEvent,
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

async function planNotifications(
  trx: TenantTransaction,
  event: OutboxEvent,
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
    body: `${quoteLabel(quoteNumber)} · ${client.companyName ?? client.contactName} · ${formatMoney(total, currency)}`,
    metadata: { quoteId, quoteNumber },
    about,
  });
}

/** The status that the event tells of: the quote may have moved on since. */
function statusThen({ payload }: OutboxEvent, quote: FullQuote): QuoteStatus {
  // Written by eventBody(): events of a quote carry it.
  const { data } = JSON.parse(payload) as { data: { quote?: { status?: QuoteStatus } } };
  return data.quote?.status ?? quote.status;
}

const isSubscribable = (type: EventType): boolean => SUBSCRIBABLE_EVENTS.some((event) => event === type);
