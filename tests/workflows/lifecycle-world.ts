import { WithStartWorkflowOperation } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { DocumentActivities } from '../../activities/documents.ts';
import type { ExpiryActivities, ExpirySchedule } from '../../activities/expiry.ts';
import type { MailActivities } from '../../activities/mail.ts';
import type { RecordActivities } from '../../activities/records.ts';
import { newId } from '../../db/ids.ts';
import type { EventType } from '../../domain/event-types.ts';
import {
  lifecycleStart,
  type LifecycleState,
  type QuoteEventsInput,
  type QuoteStart,
  type ShareInput,
  type ShareResult,
  signals,
  updates,
  workflowIds,
} from '../../workflows/contract.ts';
import type { quoteLifecycle } from '../../workflows/quote-lifecycle.ts';
import { startWorkers } from './workers.ts';

type Activities = RecordActivities & MailActivities & DocumentActivities & Pick<ExpiryActivities, 'planExpiry'>;

/** A quote as the test's activities see it, and the effects on it. */
export interface StubQuote {
  readonly start: QuoteStart;
  /** The record; a test changes it as other processes would. */
  record: LifecycleState | undefined;
  /** Names of the activities in the order in which they began. */
  readonly calls: string[];
  /** The test's answer to what `expiryReminder` waits for; undefined ends it. */
  expirySchedule: ExpirySchedule | undefined;
  /** How often `expiryReminder` read the record. */
  expiryLooks: number;
  /** The behaviour of a step besides being recorded; it may wait or throw. */
  steps: Partial<Activities>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Runs workflow code on a test server of the SDK, with activities that a test scripts for its own quote. Scripted
 * activities are used only here: the subject is the workflow's order, timeouts and end.
 */
export class LifecycleWorld {
  readonly env: TestWorkflowEnvironment;
  readonly #quotes = new Map<string, StubQuote>();

  constructor(env: TestWorkflowEnvironment) {
    this.env = env;
  }

  /** Starts the workers; returns a function that stops them. */
  work(): Promise<() => Promise<void>> {
    return startWorkers({ connection: this.env.nativeConnection, activities: this.#activities() });
  }

  #activities(): Activities {
    const step = <Name extends keyof Activities>(
      name: Name,
      quoteId: string,
      otherwise: () => ReturnType<Activities[Name]>,
      ...args: Parameters<Activities[Name]>
    ): ReturnType<Activities[Name]> => {
      const quote = this.#quotes.get(quoteId);
      quote?.calls.push(name);
      // The scripted step has the signature of the activity of that name.
      const scripted = quote?.steps[name] as ((...args: unknown[]) => ReturnType<Activities[Name]>) | undefined;
      return scripted ? scripted(...args) : otherwise();
    };
    return {
      readLifecycleState: (ref) =>
        step('readLifecycleState', ref.quoteId, async () => this.#quotes.get(ref.quoteId)?.record, ref),
      ensureQuotePdf: (ref) => step('ensureQuotePdf', ref.quoteId, async () => ({ storageKey: 'one' }), ref),
      sendQuoteMail: (input) => step('sendQuoteMail', input.quote.quoteId, async () => ({ mailed: true }), input),
      markQuoteSent: (input) =>
        step(
          'markQuoteSent',
          input.quote.quoteId,
          async () => {
            const quote = this.#quotes.get(input.quote.quoteId);
            if (quote?.record?.status === 'GENERATED') quote.record = { ...quote.record, status: 'SENT' };
          },
          input,
        ),
      planExpiry: async ({ quoteId }) => {
        const quote = this.#quotes.get(quoteId);
        if (quote) quote.expiryLooks += 1;
        return quote?.expirySchedule;
      },
    };
  }

  /** A quote that expires in 15 days. */
  quote(record: Partial<LifecycleState> = {}, steps: Partial<Activities> = {}): StubQuote {
    const status = record.status ?? 'GENERATED';
    const start = { tenantId: newId(), quoteId: newId(), tenantSlug: newId(), quoteNumber: 12, status } as const;
    const expiresAt = new Date(Date.now() + 15 * DAY_MS).toISOString();
    const quote: StubQuote = {
      start,
      record: { quoteNumber: 12, version: 1, expiresAt, ...record, status },
      calls: [],
      expirySchedule: undefined,
      expiryLooks: 0,
      steps,
    };
    this.#quotes.set(start.quoteId, quote);
    return quote;
  }

  /** Starts or signals the lifecycle with events, as the dispatcher does. */
  async tell(quote: StubQuote, ...eventIds: readonly string[]) {
    return this.tellOf('quote.status_changed', quote, ...eventIds);
  }

  /** The same with events of another type. */
  async tellOf(type: EventType, { start }: StubQuote, ...eventIds: readonly string[]) {
    const events = eventIds.map((id) => ({ id, type }));
    return this.env.client.workflow.signalWithStart<typeof quoteLifecycle, [QuoteEventsInput]>('quoteLifecycle', {
      ...lifecycleStart(start, null),
      signal: signals.quoteEvents,
      signalArgs: [{ events }],
    });
  }

  /** Shares as the API does. */
  async share(quote: StubQuote): Promise<ShareResult> {
    return this.beginShare(quote).result;
  }

  /** Shares without waiting: the pending result, and the execution that gives it. */
  beginShare({ start }: StubQuote) {
    const options = lifecycleStart(start, null);
    const [{ quote }] = options.args;
    const operation = new WithStartWorkflowOperation<typeof quoteLifecycle>('quoteLifecycle', options);
    const input: ShareInput = { quote, shareId: newId(), by: { kind: 'user', userId: newId() }, requestId: null };
    const result = this.env.client.workflow.executeUpdateWithStart<typeof quoteLifecycle, ShareResult, [ShareInput]>(
      updates.share,
      { startWorkflowOperation: operation, updateId: input.shareId, args: [input] },
    );
    return { result, handle: operation.workflowHandle() };
  }

  /** How many updates the quote's latest execution has accepted so far. */
  async acceptedUpdates({ start }: StubQuote): Promise<number> {
    const { events } = await this.env.client.workflow.getHandle(workflowIds.quote(start)).fetchHistory();
    return events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length ?? 0;
  }
}

/** A gate that others wait for until it is opened. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
