import { fork } from 'node:child_process';
import type { SvgAnswer, SvgJob } from './svg-child.ts';
import { refuse, SvgRefused } from './svg-refused.ts';
import { NotAnSvg } from './svg-tree.ts';

/** Time limits for a drawing, and for the start of its process on a busy machine. */
const DRAW_MS = 5_000;
const START_MS = 3_500;
const HEAP_MB = 96;

const CALLER_DISCONNECTED = 'the caller disconnected';

/** The machine is too busy to start the process, or the caller has disconnected: the drawing may be valid. */
export class DrawingUnavailable extends Error {
  override readonly name = 'DrawingUnavailable';
}

export interface DrawnSvg {
  readonly png: Buffer;
  /** Font families that were replaced by another. */
  readonly foreignFonts: readonly string[];
}

/**
 * Draws an SVG as a PNG that fits into a square of `side` pixels, in a process that is killed after five seconds or
 * when the caller disconnects. Throws SvgRefused with a sentence, NotAnSvg, and DrawingUnavailable.
 */
export async function rasterise(job: SvgJob, signal?: AbortSignal): Promise<DrawnSvg> {
  if (signal?.aborted) throw new DrawingUnavailable(CALLER_DISCONNECTED);
  const entry = import.meta.url.endsWith('.ts') ? './svg-child-from-source.mjs' : './svg-child.js';
  const child = fork(new URL(entry, import.meta.url), [], {
    // The child gets nothing of our environment, which holds secrets.
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      child.removeAllListeners();
      child.kill('SIGKILL');
      settle();
    };
    const fail = (error: Error) => end(() => reject(error));
    const giveUp = () => fail(new DrawingUnavailable('the drawing process did not start'));
    const leave = () => fail(new DrawingUnavailable(CALLER_DISCONNECTED));
    signal?.addEventListener('abort', leave, { once: true });
    let timer = setTimeout(giveUp, START_MS);
    child.on('message', (answer: SvgAnswer | 'ready') => {
      if (answer === 'ready') {
        clearTimeout(timer);
        child.send(job);
        timer = setTimeout(() => fail(refuse.tooSlow()), DRAW_MS);
      } else if ('png' in answer) {
        const { png, foreignFonts } = answer;
        end(() => resolve({ png: Buffer.from(png), foreignFonts }));
      } else fail(answer.isSvg ? new SvgRefused(answer.refused) : new NotAnSvg(answer.refused));
    });
    child.once('error', giveUp);
    // Out of memory, most likely.
    child.once('exit', () => fail(refuse.tooSlow()));
  });
}
