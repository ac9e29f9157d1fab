import type { Client as TemporalClient } from '@temporalio/client';
import { resumeTrace } from '../adapters/tracing/spans.ts';
import { leaseEvents, type UndispatchedEvent } from '../db/writes/lease-events.ts';
import { backOff, markDispatched } from '../db/writes/dispatch-rows.ts';
import { EVENTS } from '../domain/event-types.ts';
import { REMINDER_SETTINGS } from '../domain/expiry.ts';
import { importStart, mailStart } from '../workflows/contract.ts';
import { rescheduleStart } from '../workflows/reschedule-start.ts';
import { signalLifecycle } from '../activities/signal-lifecycle.ts';
import { type DispatchDeps, MAX_CONCURRENT_CALLS, startOnce } from './start-workflows.ts';
import { cancelDeliveriesOf } from './cancel-deliveries.ts';

/**
 * Dispatches the oldest events: those of a quote as signals to its lifecycle, internal ones as workflows or jobs of their
 * own. Returns whether there may be more. They are leased, not locked: a call to Temporal must not hold up rows of other
 * tenants. Deliveries and automation runs are rows of their own (`start-workflows.ts`).
 */
export async function dispatchWaitingEvents({ knex, ...deps }: DispatchDeps): Promise<boolean> {
  const events = await leaseEvents(knex, MAX_CONCURRENT_CALLS);
  if (events.length === 0) return false;
  const groups = byQuote(events);
  const outcomes = await Promise.all(groups.map((group) => dispatchEvents(deps, group)));
  const ids = (isDispatched: boolean) =>
    groups
      .filter((_, i) => outcomes[i] === isDispatched)
      .flat()
      .map(({ id }) => id);
  await markDispatched(knex, 'outbox_events', ids(true));
  await backOff(knex, 'outbox_events', ids(false));
  return events.length === MAX_CONCURRENT_CALLS;
}

/** One group for all events of a quote, so that its lifecycle is signalled once and in order. */
function byQuote(events: readonly UndispatchedEvent[]): readonly (readonly UndispatchedEvent[])[] {
  const groups = new Map<string, UndispatchedEvent[]>();
  for (const event of events) {
    const key = event.quoteId ?? event.id;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
}

/** Dispatches a group of events in one call to Temporal. Returns whether Temporal took them. */
async function dispatchEvents(
  { temporal, log }: Pick<DispatchDeps, 'temporal' | 'log'>,
  events: readonly UndispatchedEvent[],
): Promise<boolean> {
  const call = callFor(temporal, events);
  if (!call) return true;
  try {
    // Several events of a quote go in one call, which is in the trace of the first that has one.
    const traceparent = events.find((event) => event.traceparent !== null)?.traceparent;
    await resumeTrace('dispatcher dispatch', traceparent, call);
    return true;
  } catch (error) {
    const [first] = events;
    const { quoteId, type } = first ?? {};
    log.warn({ err: error, quoteId, type, events: events.length }, 'events could not be dispatched');
    return false;
  }
}

/** The one call that dispatches the group; undefined when nothing is started for such events. */
function callFor(temporal: TemporalClient, events: readonly UndispatchedEvent[]): (() => Promise<unknown>) | undefined {
  const [first] = events;
  if (!first) return undefined;
  const { type, tenantId, id, requestId, quote } = first;
  if (type === 'mail.requested') {
    // The event's id is the mail's.
    const options = mailStart({ tenantId, mailId: id }, requestId);
    return () => startOnce(temporal, { type: 'sendMail', options });
  }
  if (type === 'import.requested') {
    // The event's id is the import's.
    const options = importStart({ tenantId, importId: id }, requestId);
    return () => startOnce(temporal, { type: 'importRecords', options });
  }
  if (type === 'tenant.settings_changed') {
    if (!movesReminders(first)) return undefined;
    const options = rescheduleStart({ tenantId, eventId: id }, requestId);
    return () => startOnce(temporal, { type: 'rescheduleReminders', options });
  }
  if (type === 'webhook.deleted') {
    const webhookId = deletedWebhook(first);
    return () => cancelDeliveriesOf(temporal, { jobId: id, webhookId });
  }
  const quoteEvents = events
    .filter((event) => EVENTS[event.type].signalsLifecycle)
    .map((event) => ({ id: event.id, type: event.type }));
  if (!quote || quoteEvents.length === 0) return undefined;
  return () => signalLifecycle(temporal, quote, quoteEvents, requestId);
}

/** Written when the webhook was deleted: its id. */
const deletedWebhook = ({ payload }: UndispatchedEvent): string =>
  (JSON.parse(payload ?? '') as { data: { webhookId: string } }).data.webhookId;

/** Whether the setting is among the changes by which expiry reminders are timed. */
function movesReminders({ payload }: UndispatchedEvent): boolean {
  if (payload === null) return false;
  // Written when the settings were saved: names of what changed.
  const { data } = JSON.parse(payload) as { data: { changed?: readonly string[] } };
  return data.changed?.some((name) => REMINDER_SETTINGS.includes(name)) ?? false;
}
