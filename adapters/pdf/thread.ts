import { parentPort } from 'node:worker_threads';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { drawQuote } from './document.ts';

/** What the thread says: that it is up, then one answer for each drawing it gets. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly pdf: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly message: string };

const port = parentPort;
if (!port) throw new Error('this module runs in a worker thread only');

const say = (message: ThreadMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

async function answer(drawing: QuoteDrawing): Promise<void> {
  try {
    // A copy of its own: small buffers share one pool, which must not be handed over.
    const pdf = new Uint8Array(await drawQuote(drawing));
    say({ kind: 'done', pdf }, [pdf.buffer]);
  } catch (error) {
    say({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

port.on('message', (drawing: QuoteDrawing) => void answer(drawing));
say({ kind: 'ready' });
