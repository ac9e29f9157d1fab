import type { Client as TemporalClient } from '@temporalio/client';
import type { Log } from '../adapters/log.ts';
import { resumeTrace } from '../adapters/tracing/spans.ts';
import type { UndispatchedEvent } from '../db/writes/dispatch-events.ts';
import { REMINDER_SETTINGS } from '../domain/expiry.ts';
import { mailStart } from '../workflows/contract.ts';
import { rescheduleStart } from '../workflows/reschedule-start.ts';
import { signalLifecycle } from '../activities/signal-lifecycle.ts';
import { startOnce } from './start-once.ts';
import { cancelDeliveriesOf } from './cancel-deliveries.ts';

export interface DispatchDeps {
  readonly temporal: TemporalClient;
  readonly log: Log;
}

/** Dispatches a group of events in one call to Temporal. Returns whether Temporal took them. */
export async function dispatchEvents(
  { temporal, log }: DispatchDeps,
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
  if (type === 'tenant.settings_changed') {
    if (!movesReminders(first)) return undefined;
    const options = rescheduleStart({ tenantId, eventId: id }, requestId);
    return () => startOnce(temporal, { type: 'rescheduleReminders', options });
  }
  if (type === 'webhook.deleted') {
    const webhookId = deletedWebhook(first);
    return () => cancelDeliveriesOf(temporal, { jobId: id, webhookId });
  }
  // No workflow waits for what happens to clients and products, nor for what the reminder's own workflow announced.
  if (!quote || type === 'quote.expiring') return undefined;
  const quoteEvents = events.map((event) => ({ id: event.id, type: event.type }));
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
