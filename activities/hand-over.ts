import { type Client as TemporalClient, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Knex } from 'knex';
import type { Log } from '../adapters/log.ts';
import { NO_TRACING, type Tracing } from '../adapters/tracing/tracing.ts';
import { sentQuotesPage } from '../db/reads/sent-quotes.ts';
import type { WaitingEvent } from '../db/writes/hand-over-events.ts';
import { lifecycleStart, mailStart, type QuoteEventsInput, type QuoteStart, signals } from '../workflows/contract.ts';
import type { quoteLifecycle } from '../workflows/quote-lifecycle.ts';
import type { sendMail } from '../workflows/send-mail.ts';
import type { Pace } from './run-pace.ts';

const CALL_DEADLINE_MS = 5_000;
/** Lifecycles that are told at the same time. */
const QUOTES_AT_ONCE = 40;

export interface HandOverDeps {
  /** As the relay's role. */
  readonly knex: Knex;
  readonly temporal: TemporalClient;
  readonly log: Log;
  readonly tracing?: Tracing;
  /** Of this relay; a new one when there is none. */
  readonly pace?: Pace;
}

/** Tells Temporal of a group of events, in the way of their kind. Returns whether Temporal took them. */
export async function handOver(
  { knex, temporal, log, tracing = NO_TRACING }: HandOverDeps,
  events: readonly WaitingEvent[],
): Promise<boolean> {
  const call = callFor(knex, temporal, events);
  if (!call) return true;
  try {
    // Several events of a quote go in one call, which is in the trace of the first that has one.
    const traceparent = events.find((event) => event.traceparent !== null)?.traceparent;
    await tracing.resume('relay hand over', traceparent, call);
    return true;
  } catch (error) {
    const [first] = events;
    const { quoteId, type } = first ?? {};
    log.warn({ err: error, quoteId, type, events: events.length }, 'events could not be handed over');
    return false;
  }
}

/** The call that hands the group over; undefined when nothing is started for such events. */
function callFor(
  knex: Knex,
  temporal: TemporalClient,
  events: readonly WaitingEvent[],
): (() => Promise<unknown>) | undefined {
  const [first] = events;
  if (first?.type === 'mail.requested') return () => startMail(temporal, first);
  if (first?.type === 'tenant.settings_changed') {
    return movesReminders(first) ? () => tellSentQuotes(knex, temporal, first) : undefined;
  }
  const quote = first?.quote;
  // No workflow waits for what happens to clients and products.
  if (!quote) return undefined;
  return () => signalLifecycle(temporal, quote, events);
}

/** Tells a quote's lifecycle of events, starting it if need be. */
const signalLifecycle = (
  temporal: TemporalClient,
  quote: QuoteStart,
  events: readonly Pick<WaitingEvent, 'id' | 'type' | 'requestId'>[],
) =>
  temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
    temporal.workflow.signalWithStart<typeof quoteLifecycle, [QuoteEventsInput]>('quoteLifecycle', {
      ...lifecycleStart(quote, events[0]?.requestId ?? null),
      signal: signals.quoteEvents,
      signalArgs: [{ events: events.map(({ id, type }) => ({ id, type })) }],
    }),
  );

/** Whether the setting is among the changes by which expiry reminders are timed. */
function movesReminders({ payload }: WaitingEvent): boolean {
  if (payload === null) return false;
  // Written when the settings were saved: names of what changed.
  const { data } = JSON.parse(payload) as { data: { changed?: readonly string[] } };
  return data.changed?.includes('reminderDaysBefore') ?? false;
}

/** Tells the lifecycles of all SENT quotes of the business; told again after a failure, they know the event's id. */
async function tellSentQuotes(knex: Knex, temporal: TemporalClient, event: WaitingEvent): Promise<void> {
  let after = 0;
  for (;;) {
    const quotes = await sentQuotesPage(knex, event.tenantId, { after, limit: QUOTES_AT_ONCE });
    await Promise.all(quotes.map((quote) => signalLifecycle(temporal, quote, [event])));
    const last = quotes.at(-1);
    if (!last || quotes.length < QUOTES_AT_ONCE) return;
    after = last.quoteNumber;
  }
}

/** Has a mail sent; the event's id is the mail's. A run that exists, or existed, is the one that we wanted. */
async function startMail(temporal: TemporalClient, { tenantId, id, requestId }: WaitingEvent): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start<typeof sendMail>('sendMail', mailStart({ tenantId, mailId: id }, requestId)),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
