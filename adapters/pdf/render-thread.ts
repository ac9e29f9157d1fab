import { Worker } from 'node:worker_threads';
import { PdfFailed } from './failure.ts';
import type { ThreadData, ThreadJob, ThreadMessage } from './thread.ts';

/** A thread loads its modules in well under a second; on a busy machine it may take longer. */
const START_TIMEOUT_MS = 30_000;

export interface ThreadLimits {
  readonly deadlineMs: number;
  readonly cpuBudgetMs: number;
  readonly maxHeapMb: number;
}

type Done = Extract<ThreadMessage, { readonly kind: 'done' }>;

/** One rendering thread. It draws one document at a time; one that died or missed its deadline is restarted. */
export interface RenderThread {
  /** Rejects with `PdfFailed`. */
  draw(job: ThreadJob): Promise<Done>;
  close(): Promise<void>;
}

export function createThread(limits: ThreadLimits): RenderThread {
  let thread: Worker | undefined;
  /** The logo of the document that is being drawn. */
  let shared = new SharedArrayBuffer(0);

  /** Writes the logo where the thread sees it: in a message each would need memory of its own, and its collection. */
  function share(logo: Uint8Array): Uint8Array {
    if (shared.byteLength < logo.length) shared = new SharedArrayBuffer(logo.length);
    const view = new Uint8Array(shared, 0, logo.length);
    view.set(logo);
    return view;
  }

  function start(): Worker {
    const worker = startThread(limits);
    // Also fires for a thread that dies while idle: without a listener the error would end the process.
    const forget = () => {
      if (thread === worker) thread = undefined;
    };
    worker.on('error', forget);
    worker.on('exit', forget);
    return worker;
  }

  return {
    async draw(job) {
      const fresh = thread === undefined;
      const worker = (thread ??= start());
      worker.ref();
      try {
        if (fresh) await nextMessage(worker, START_TIMEOUT_MS);
        const logo = 'logo' in job && job.logo ? { logo: share(job.logo) } : {};
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        worker.postMessage({ ...job, ...logo });
        const message = await nextMessage(worker, limits.deadlineMs);
        if (message.kind === 'done') return message;
        if (message.kind === 'over_budget')
          throw new PdfFailed('over_budget', `more than ${limits.cpuBudgetMs} ms of CPU time`);
        throw new PdfFailed('refused', message.kind === 'failed' ? message.message : 'unexpected answer');
      } catch (error) {
        if (error instanceof PdfFailed && error.reason === 'deadline') await worker.terminate();
        throw error;
      } finally {
        worker.unref();
      }
    },
    async close() {
      await thread?.terminate();
    },
  };
}

function startThread({ maxHeapMb, cpuBudgetMs }: ThreadLimits): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './thread-from-source.mjs' : './thread.js';
  return new Worker(new URL(entry, import.meta.url), {
    // The main thread's loaders and flags do not apply to this one.
    execArgv: [],
    workerData: { cpuBudgetMs } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
}

/** The thread's next message; rejects when it dies or is silent for too long. */
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
