import { LimitExceeded, runJob } from '../child-process/run-job.ts';
import type { SvgAnswer, SvgJob } from './svg-draw.ts';
import { refuse, SvgRefused } from './svg-refused.ts';
import { NotAnSvg } from './svg-tree.ts';

const CHILD = new URL(`./svg-child${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
const HEAP_MB = 96;

export interface DrawnSvg {
  readonly png: Buffer;
  /** Font families that were replaced by another. */
  readonly foreignFonts: readonly string[];
}

/**
 * Draws an SVG as a PNG that fits into a square of `side` pixels, in a process that is killed after five seconds of CPU
 * time or when the caller disconnects. Throws SvgRefused with a sentence, NotAnSvg, and ChildUnavailable.
 */
export async function rasterise(job: SvgJob, signal?: AbortSignal): Promise<DrawnSvg> {
  const answer = await runJob<SvgJob, SvgAnswer>(CHILD, job, {
    heapMb: HEAP_MB,
    signal,
  }).catch((error: unknown) => {
    throw error instanceof LimitExceeded ? refuse.tooSlow() : error;
  });
  if ('png' in answer) return { png: Buffer.from(answer.png), foreignFonts: answer.foreignFonts };
  throw answer.isSvg ? new SvgRefused(answer.refused) : new NotAnSvg(answer.refused);
}
