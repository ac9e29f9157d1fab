import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Log } from '../adapters/log.ts';
import { isRefused } from '../adapters/temporal/status.ts';
import { type SentQuote, sentQuotesPage } from '../db/reads/sent-quotes.ts';
import { finishRescheduling, pendingRescheduling } from '../db/writes/rescheduling.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { signalLifecycle } from './signal-lifecycle.ts';

/** A settings change, and the number of the last quote that was signalled of it. */
export interface ReschedulePageRef {
  readonly tenantId: string;
  readonly eventId: string;
  readonly after: number;
}

/** What became of a page. `superseded`: a later settings change has a workflow of its own, which signals all. */
export type RescheduledPage =
  | { readonly outcome: 'more'; readonly signalled: number; readonly after: number }
  | { readonly outcome: 'done' | 'superseded'; readonly signalled: number };

const PAGE_SIZE = 20;
/** A page sends no signal after this time; the next page continues there. */
const PAGE_MS = 20_000;
/**
 * The pause after a signal, as a multiple of the time that the signal took, within bounds. Each signal wakes up two
 * workflows, which costs Temporal and this worker many times what the signal costs: the pause keeps capacity for other tenants.
 */
const PAUSE_TIMES = 4;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

export interface RescheduleDeps {
  readonly withTenant: WithTenant;
  readonly temporal: TemporalClient;
  readonly log: Log;
  /** Aborted when the process begins to shut down. */
  readonly stopping?: AbortSignal | undefined;
}

/** One page is under way in a worker process, whichever tenant's it is, with one signal in flight. */
export const createRescheduleActivities = ({ withTenant, temporal, log, stopping }: RescheduleDeps) => {
  let isPageUnderWay = false;

  async function signal(quote: SentQuote, eventId: string): Promise<void> {
    try {
      await signalLifecycle(temporal, quote, [{ id: eventId, type: 'tenant.settings_changed' }]);
    } catch (error) {
      if (!isRefused(error)) throw error;
      // Temporal will never take it: the quotes after this one must not wait for it.
      log.warn({ err: error, quoteId: quote.quoteId }, 'a lifecycle could not be signalled of a settings change');
    }
  }

  /** Signals quotes one after the other until the time is up, and returns those that were signalled. */
  async function signalAll(quotes: readonly SentQuote[], eventId: string): Promise<readonly SentQuote[]> {
    const startedAt = performance.now();
    const signalled: SentQuote[] = [];
    for (const quote of quotes) {
      if (stopping?.aborted || performance.now() - startedAt > PAGE_MS) break;
      const signalAt = performance.now();
      await signal(quote, eventId);
      signalled.push(quote);
      const pauseMs = PAUSE_TIMES * (performance.now() - signalAt);
      await sleep(Math.min(Math.max(pauseMs, MIN_PAUSE_MS), MAX_PAUSE_MS));
    }
    return signalled;
  }

  return {
    /** Signals the next SENT quotes of the tenant; after the last page, records that the change has reached all. */
    async signalSentQuotes({ tenantId, eventId, after }: ReschedulePageRef): Promise<RescheduledPage> {
      if (isPageUnderWay) throw throttled();
      isPageUnderWay = true;
      try {
        const page = await withTenant(tenantId, async (trx) => ({
          pending: await pendingRescheduling(trx),
          quotes: await sentQuotesPage(trx, { after, limit: PAGE_SIZE }),
        }));
        if (page.pending !== null && page.pending !== eventId) return { outcome: 'superseded', signalled: 0 };
        const signalled = await signalAll(page.quotes, eventId);
        const isLast = page.quotes.length < PAGE_SIZE && signalled.length === page.quotes.length;
        if (!isLast) {
          return { outcome: 'more', signalled: signalled.length, after: signalled.at(-1)?.quoteNumber ?? after };
        }
        await withTenant(tenantId, (trx) => finishRescheduling(trx, eventId));
        return { outcome: 'done', signalled: signalled.length };
      } finally {
        isPageUnderWay = false;
      }
    },
  };
};
export type RescheduleActivities = ReturnType<typeof createRescheduleActivities>;

/** Frees the activity's slot; the retry policy says when the page is tried again. */
const throttled = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'Throttled',
    message: 'Este proceso avisa a las cotizaciones de otro negocio',
    category: ApplicationFailureCategory.BENIGN,
  });
