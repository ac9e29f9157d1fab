import { Worker } from 'node:worker_threads';
import { quoteLabel, type QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { Log } from '../log.ts';
import type { QuoteDocument } from './document.ts';
import type { ThreadMessage } from './thread.ts';

export interface PdfRenderer {
  /**
   * Draws the quote in the thread; rejects with `PdfFailed`. Jobs run one after the other. A logo or signature that
   * cannot be drawn is left out, and the log says so.
   *
   * @param logo the file that the drawing's `logoKey` names, a PNG or JPEG
   */
  render(drawing: QuoteDrawing, logo?: Buffer | null): Promise<Buffer>;
  /** Stops the thread. Jobs that are not done fail. */
  close(): Promise<void>;
}

/** Why a PDF was not made: the drawing threw, the thread died, it took too long, or the renderer was closed. */
export type PdfFailure = 'refused' | 'crashed' | 'deadline' | 'closed';

export class PdfFailed extends Error {
  readonly reason: PdfFailure;

  constructor(reason: PdfFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PdfFailed';
    this.reason = reason;
  }
}

/** A thread loads its modules in well under a second; on a busy machine it may take longer. */
const START_TIMEOUT_MS = 30_000;

export interface PdfRendererOptions {
  /** How long one drawing may take, counted from when the thread gets it. */
  readonly deadlineMs?: number;
  /** What the thread may use: a drawing that needs more fails alone instead of ending the process. */
  readonly maxHeapMb?: number;
  readonly log?: Log;
}

/**
 * Renders quotes in one worker thread, so that no request waits for a drawing. The thread is started by the first job,
 * replaced after a crash or a missed deadline, and does not keep an idle process alive.
 */
export function createPdfRenderer({ deadlineMs = 10_000, maxHeapMb = 256, log }: PdfRendererOptions = {}): PdfRenderer {
  let thread: Worker | undefined;
  let closed = false;
  let queue: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const worker = startThread(maxHeapMb);
    // Also hears a thread that dies while idle: without a listener the error would end the process.
    const forget = () => {
      if (thread === worker) thread = undefined;
    };
    worker.on('error', forget);
    worker.on('exit', forget);
    return worker;
  }

  async function run(document: QuoteDocument): Promise<Buffer> {
    if (closed) throw new PdfFailed('closed', 'the PDF renderer is closed');
    const fresh = thread === undefined;
    const worker = (thread ??= start());
    worker.ref();
    try {
      if (fresh) await nextMessage(worker, START_TIMEOUT_MS);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(document);
      const message = await nextMessage(worker, deadlineMs);
      if (message.kind === 'done') {
        if (message.dropped.length > 0) log?.warn({ ...named(document), images: message.dropped }, WITHOUT_IMAGES);
        return Buffer.from(message.pdf.buffer);
      }
      throw new PdfFailed('refused', message.kind === 'failed' ? message.message : 'unexpected answer');
    } catch (error) {
      if (closed) throw new PdfFailed('closed', 'the PDF renderer was closed', { cause: error });
      if (error instanceof PdfFailed && error.reason === 'deadline') await worker.terminate();
      throw error;
    } finally {
      worker.unref();
    }
  }

  /** A broken image may kill the thread, or keep it busy for ever: then the quote is drawn once more without any. */
  async function runTwice(document: QuoteDocument): Promise<Buffer> {
    try {
      return await run(document);
    } catch (error) {
      if (closed || !hasImages(document)) throw error;
      log?.warn({ ...named(document), err: error }, WITHOUT_IMAGES);
      return run({ ...document, withoutImages: true });
    }
  }

  return {
    render(drawing, logo = null) {
      const job = queue.then(() => runTwice({ drawing, logo, withoutImages: false }));
      queue = job.catch(() => undefined);
      return job;
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}

const WITHOUT_IMAGES = 'a quote was drawn without an image that cannot be drawn';

const hasImages = ({ drawing, logo }: QuoteDocument): boolean => logo !== null || Boolean(drawing.signature?.data);

const named = ({ drawing }: QuoteDocument) => ({
  quote: quoteLabel(drawing.quoteNumber),
  logoKey: drawing.branding?.logoKey,
});

function startThread(maxHeapMb: number): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './thread-from-source.mjs' : './thread.js';
  return new Worker(new URL(entry, import.meta.url), {
    // Loaders and flags of the main thread are not for this one.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
}

/** The thread's next message; rejects when it dies or stays silent for too long. */
function nextMessage(worker: Worker, timeoutMs: number): Promise<ThreadMessage> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: ThreadMessage) => settle(() => resolve(message));
    const onError = (cause: unknown) =>
      settle(() => reject(new PdfFailed('crashed', 'the PDF thread crashed', { cause })));
    const onExit = (code: number) =>
      settle(() => reject(new PdfFailed('crashed', `the PDF thread ended with ${code}`)));
    const timer = setTimeout(() => {
      settle(() => reject(new PdfFailed('deadline', `no PDF within ${timeoutMs} ms`)));
    }, timeoutMs);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      end();
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}
