import { parentPort, workerData } from 'node:worker_threads';
import { OverBudget, startBudget } from './budget.ts';
import { type DrawnQuote, drawQuote, type QuoteDocument } from './document.ts';

/** What the thread says: that it is up, then one answer for each drawing it gets. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly pdf: Uint8Array<ArrayBuffer>; readonly dropped: DrawnQuote['dropped'] }
  | { readonly kind: 'over_budget' }
  | { readonly kind: 'failed'; readonly message: string };

export interface ThreadData {
  readonly cpuBudgetMs: number;
}

const port = parentPort;
if (!port) throw new Error('this module runs in a worker thread only');

// Given by createThread().
const { cpuBudgetMs } = workerData as ThreadData;

const say = (message: ThreadMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

async function answer(document: QuoteDocument): Promise<void> {
  try {
    // A copy of its own: small buffers share one pool, which must not be handed over.
    const drawn = await drawQuote(document, startBudget(cpuBudgetMs));
    const pdf = new Uint8Array(drawn.pdf);
    say({ kind: 'done', pdf, dropped: drawn.dropped }, [pdf.buffer]);
  } catch (error) {
    if (error instanceof OverBudget) return say({ kind: 'over_budget' });
    say({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

port.on('message', (document: QuoteDocument) => void answer(document));
say({ kind: 'ready' });
