import { type Client as TemporalClient, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Log } from '../adapters/log.ts';
import type { WaitingEvent } from '../db/writes/hand-over-events.ts';
import { lifecycleStart, mailStart, type QuoteEventsInput, type QuoteStart, signals } from '../workflows/contract.ts';
import type { quoteLifecycle } from '../workflows/quote-lifecycle.ts';
import type { sendMail } from '../workflows/send-mail.ts';

const CALL_DEADLINE_MS = 5_000;

/** Tells Temporal of a group of events, in the way of their kind. Returns whether Temporal took them. */
export async function handOver(temporal: TemporalClient, log: Log, events: readonly WaitingEvent[]): Promise<boolean> {
  const call = callFor(temporal, events);
  if (!call) return true;
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, call);
    return true;
  } catch (error) {
    const [first] = events;
    const { quoteId, type } = first ?? {};
    log.warn({ err: error, quoteId, type, events: events.length }, 'events could not be handed over');
    return false;
  }
}

/** The call that hands the group over; undefined when nothing is started for such events. */
function callFor(temporal: TemporalClient, events: readonly WaitingEvent[]): (() => Promise<unknown>) | undefined {
  const [first] = events;
  if (first?.type === 'mail.requested') return () => startMail(temporal, first);
  const quote = first?.quote;
  // Nobody waits for what happens to clients, products and settings yet.
  if (!quote) return undefined;
  return () => signalLifecycle(temporal, quote, events);
}

/** Tells a quote's lifecycle of its events, starting it if need be. */
const signalLifecycle = (temporal: TemporalClient, quote: QuoteStart, events: readonly WaitingEvent[]) =>
  temporal.workflow.signalWithStart<typeof quoteLifecycle, [QuoteEventsInput]>('quoteLifecycle', {
    ...lifecycleStart(quote, events[0]?.requestId ?? null),
    signal: signals.quoteEvents,
    signalArgs: [{ events: events.map(({ id, type }) => ({ id, type })) }],
  });

/** Has a mail sent; the event's id is the mail's. A run that exists, or existed, is the one that we wanted. */
async function startMail(temporal: TemporalClient, { tenantId, id, requestId }: WaitingEvent): Promise<void> {
  try {
    await temporal.workflow.start<typeof sendMail>('sendMail', mailStart({ tenantId, mailId: id }, requestId));
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
