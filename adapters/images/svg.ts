import { fork } from 'node:child_process';
import type { SvgAnswer, SvgJob } from './svg-child.ts';
import { SvgRefused } from './svg-markup.ts';

/** How long a drawing may take, and how long its process may take to come up on a busy machine. */
const DRAW_MS = 5_000;
const START_MS = 3_500;
const HEAP_MB = 96;

const CALLER_LEFT = 'the caller has left';

/** The machine is too busy to start the process, or the caller has left: the drawing may be fine. */
export class DrawingUnavailable extends Error {
  override readonly name = 'DrawingUnavailable';
}

/**
 * Draws an SVG, cleaned before, as a PNG that fits into a square of `side` pixels, in a process that is killed after five
 * seconds or when the caller leaves. Throws SvgRefused when there is nothing to draw, or no end of it,
 * and DrawingUnavailable.
 */
export async function rasterise(job: SvgJob, signal?: AbortSignal): Promise<Buffer> {
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
    const refuse = (reason: string) => end(() => reject(new SvgRefused(reason)));
    const giveUp = () => end(() => reject(new DrawingUnavailable('the drawing process did not start')));
    const leave = () => end(() => reject(new DrawingUnavailable(CALLER_LEFT)));
    signal?.addEventListener('abort', leave, { once: true });
    let timer = setTimeout(giveUp, START_MS);
    child.on('message', (answer: SvgAnswer | 'ready') => {
      if (answer === 'ready') {
        clearTimeout(timer);
        child.send(job);
        timer = setTimeout(() => refuse(`not drawn within ${DRAW_MS} ms`), DRAW_MS);
      } else if ('png' in answer) end(() => resolve(Buffer.from(answer.png)));
      else refuse(answer.refused);
    });
    child.once('error', giveUp);
    child.once('exit', () => refuse('its process died'));
  });
}
