import type { Client as TemporalClient } from '@temporalio/client';
import {
  lifecycleStart,
  type QuoteEvent,
  type QuoteEventsInput,
  type QuoteStart,
  signals,
} from '../workflows/contract.ts';
import type { quoteLifecycle } from '../workflows/quote-lifecycle.ts';

const CALL_DEADLINE_MS = 5_000;

/** Signals a quote's lifecycle with events, and starts it if it is not there. A lifecycle ignores an event id it knows. */
export const signalLifecycle = (
  temporal: TemporalClient,
  quote: QuoteStart,
  events: readonly QuoteEvent[],
  requestId: string | null = null,
) =>
  temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
    temporal.workflow.signalWithStart<typeof quoteLifecycle, [QuoteEventsInput]>('quoteLifecycle', {
      ...lifecycleStart(quote, requestId),
      signal: signals.quoteEvents,
      signalArgs: [{ events }],
    }),
  );
