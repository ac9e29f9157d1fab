import { parentPort } from 'node:worker_threads';
import { type DrawnQuote, drawQuote, type QuoteDocument } from './document.ts';

/** What the thread says: that it is up, then one answer for each drawing it gets. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly pdf: Uint8Array<ArrayBuffer>; readonly dropped: DrawnQuote['dropped'] }
  | { readonly kind: 'failed'; readonly message: string };

const port = parentPort;
if (!port) throw new Error('this module runs in a worker thread only');

const say = (message: ThreadMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

async function answer(document: QuoteDocument): Promise<void> {
  try {
    // A copy of its own: small buffers share one pool, which must not be handed over.
    const drawn = await drawQuote(document);
    const pdf = new Uint8Array(drawn.pdf);
    say({ kind: 'done', pdf, dropped: drawn.dropped }, [pdf.buffer]);
  } catch (error) {
    say({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

port.on('message', (document: QuoteDocument) => void answer(document));
say({ kind: 'ready' });
