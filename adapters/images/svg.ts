import { fork } from 'node:child_process';
import type { SvgAnswer, SvgJob } from './svg-child.ts';
import { refuse, SvgRefused } from './svg-refused.ts';
import { NotAnSvg } from './svg-tree.ts';

/** How long a drawing may take, and how long its process may take to come up on a busy machine. */
const DRAW_MS = 5_000;
const START_MS = 3_500;
const HEAP_MB = 96;

const CALLER_LEFT = 'the caller has left';

/** The machine is too busy to start the process, or the caller has left: the drawing may be fine. */
export class DrawingUnavailable extends Error {
  override readonly name = 'DrawingUnavailable';
}

export interface DrawnSvg {
  readonly png: Buffer;
  /** Families of fonts for which another stands in. */
  readonly foreignFonts: readonly string[];
}

/**
 * Draws an SVG as a PNG that fits into a square of `side` pixels, in a process that is killed after five seconds or when the
 * caller leaves. Throws SvgRefused with a sentence, NotAnSvg, and DrawingUnavailable.
 */
export async function rasterise(job: SvgJob, signal?: AbortSignal): Promise<DrawnSvg> {
  if (signal?.aborted) throw new DrawingUnavailable(CALLER_LEFT);
  const entry = import.meta.url.endsWith('.ts') ? './svg-child-from-source.mjs' : './svg-child.js';
  const child = fork(new URL(entry, import.meta.url), [], {
    // Nothing of our environment is a drawing's business.
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
    const leave = () => fail(new DrawingUnavailable(CALLER_LEFT));
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
