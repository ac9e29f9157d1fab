import { LRUCache } from 'lru-cache';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { createFairQueue, type QueueWatch, type PermitRequest } from '../fair-queue.ts';
import type { Log } from '../log.ts';
import type { QuoteDocument } from './document.ts';
import { fingerprint } from './fingerprint.ts';
import { PdfFailed } from './failure.ts';
import { createThread } from './render-thread.ts';
import type { ThreadJob } from './thread.ts';

export interface PdfRenderer {
  /**
   * Draws the quote in a thread; rejects with `PdfFailed`, or as the fair queue does while no thread is free. A logo or
   * signature that cannot be drawn is omitted, and the log says so.
   *
   * @param permit the tenant that the thread is counted for
   * @param logo the file that the drawing's `logoKey` names, a PNG or JPEG
   */
  render(drawing: QuoteDrawing, permit: PermitRequest, logo?: Buffer | null): Promise<Buffer>;
  /** A name written as a signature, as a PNG. Rejects as `render` does. */
  writtenMark(text: string, permit: PermitRequest): Promise<Buffer>;
  /** Stops the threads. Pending jobs fail. */
  close(): Promise<void>;
}

/** A drawing that exceeded its CPU budget would do so again: for this long it is refused without a try. */
const OVER_BUDGET_TTL_MS = 600_000;
const MAX_OVER_BUDGET = 1_000;

export interface PdfRendererOptions {
  /** At least 2, of which one tenant may hold all but one. */
  readonly threads?: number;
  /** The time limit of one drawing, from when the thread gets it. */
  readonly deadlineMs?: number;
  /** The thread's CPU time limit for one drawing, where the platform reports it. */
  readonly cpuBudgetMs?: number;
  /** A thread's memory: a drawing that needs more fails alone instead of ending the process. */
  readonly maxHeapMb?: number;
  readonly watch?: QueueWatch;
  readonly log?: Log;
}

/**
 * Renders quotes in worker threads, so that no request waits for a drawing on the main thread, and shares the threads
 * fairly between tenants. A thread is started by the first job that needs it, replaced after a crash or a missed
 * deadline, and does not keep an idle process alive.
 */
export function createPdfRenderer({
  threads = 2,
  deadlineMs = 10_000,
  cpuBudgetMs = 8_000,
  maxHeapMb = 256,
  watch,
  log,
}: PdfRendererOptions = {}): PdfRenderer {
  const queue = createFairQueue({
    permits: threads,
    maxWaitingPerKey: 16,
    maxWaiting: 64,
    retryAfterSeconds: 2,
    ...(watch && { watch }),
  });
  // Each permit of the queue is one of these threads; the last used is taken first, so that an idle process keeps one.
  const idle = Array.from({ length: threads }, () => createThread({ deadlineMs, cpuBudgetMs, maxHeapMb }));
  const all = [...idle];
  const overBudget = new LRUCache<string, true>({ max: MAX_OVER_BUDGET, ttl: OVER_BUDGET_TTL_MS });
  let closed = false;

  async function run(job: ThreadJob): Promise<Buffer> {
    if (closed) throw new PdfFailed('closed', 'the PDF renderer is closed');
    const thread = idle.pop();
    if (!thread) throw new Error('more jobs than threads');
    try {
      const { pdf, dropped } = await thread.draw(job);
      if (dropped.length > 0 && 'drawing' in job) log?.warn({ ...named(job), images: dropped }, WITHOUT_IMAGES);
      return Buffer.from(pdf.buffer);
    } catch (error) {
      if (closed) throw new PdfFailed('closed', 'the PDF renderer was closed', { cause: error });
      throw error;
    } finally {
      idle.push(thread);
    }
  }

  /** A broken image may kill the thread, or block it: then the quote is drawn once more without images. */
  async function runTwice(document: QuoteDocument): Promise<Buffer> {
    try {
      return await run(document);
    } catch (error) {
      if (isOverBudget(error)) overBudget.set(fingerprint(document.drawing), true);
      if (closed || isOverBudget(error) || !hasImages(document)) throw error;
      log?.warn({ ...named(document), err: error }, WITHOUT_IMAGES);
      return run({ ...document, withoutImages: true });
    }
  }

  return {
    async render(drawing, permit, logo = null) {
      if (overBudget.size > 0 && overBudget.has(fingerprint(drawing)))
        throw new PdfFailed('over_budget', 'the same drawing exceeded its CPU budget shortly before');
      return queue.run(permit, () => runTwice({ drawing, logo, withoutImages: false }));
    },
    writtenMark: (text, permit) => queue.run(permit, () => run({ written: text })),
    async close() {
      closed = true;
      await Promise.all(all.map((thread) => thread.close()));
    },
  };
}

const isOverBudget = (error: unknown): boolean => error instanceof PdfFailed && error.reason === 'over_budget';

const WITHOUT_IMAGES = 'a quote was drawn without an image that cannot be drawn';

const hasImages = ({ drawing, logo }: QuoteDocument): boolean => logo !== null || Boolean(drawing.signature?.data);

const named = ({ drawing }: QuoteDocument) => ({
  quote: drawing.displayNumber,
  logoKey: drawing.branding?.logoKey,
});
