import { parentPort, workerData } from 'node:worker_threads';
import { OverBudget, startBudget } from './budget.ts';
import { drawWritten, type WrittenMark } from './written-mark.ts';
import { type DrawnQuote, drawQuote, type QuoteDocument } from './document.ts';

/** The thread's messages: that it is ready, then one result for each drawing. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  /** `pdf`: the bytes of the result. */
  | { readonly kind: 'done'; readonly pdf: Uint8Array<ArrayBuffer>; readonly dropped: DrawnQuote['dropped'] }
  | { readonly kind: 'over_budget' }
  | { readonly kind: 'failed'; readonly message: string };

/** A quote to be drawn as a PDF, or a name as an image. */
export type ThreadJob = QuoteDocument | WrittenMark;

export interface ThreadData {
  readonly cpuBudgetMs: number;
}

const port = parentPort;
if (!port) throw new Error('this module runs in a worker thread only');

// Given by createThread().
const { cpuBudgetMs } = workerData as ThreadData;

const say = (message: ThreadMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

async function answer(job: ThreadJob): Promise<void> {
  try {
    if ('written' in job) {
      // A copy: small buffers share one pool, which must not be transferred.
      const png = new Uint8Array(await drawWritten(job));
      return say({ kind: 'done', pdf: png, dropped: [] }, [png.buffer]);
    }
    const { pdf, dropped } = await drawQuote(job, startBudget(cpuBudgetMs));
    say({ kind: 'done', pdf, dropped }, [pdf.buffer]);
  } catch (error) {
    if (error instanceof OverBudget) return say({ kind: 'over_budget' });
    say({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

port.on('message', (job: ThreadJob) => void answer(job));
say({ kind: 'ready' });
