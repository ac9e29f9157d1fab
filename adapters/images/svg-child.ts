import { createRequire } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js';

/**
 * A process of its own that draws one SVG and ends. The library cannot be interrupted, so its parent kills it when it
 * takes too long.
 */

/** Longer than the parent lets it live. Milliseconds. */
const MAX_LIFETIME_MS = 15_000;
/** A drawing may use a core for seconds. Requests go first. */
const NICE = 10;

export interface SvgJob {
  readonly svg: string;
  /** The drawing fits into a square of so many pixels. */
  readonly side: number;
}
/** 'ready' when it can be given its job, then the one answer. */
export type SvgAnswer = { readonly png: Uint8Array } | { readonly refused: string };

const { resolve } = createRequire(import.meta.url);

const OPTIONS: ResvgRenderOptions = {
  background: 'white',
  // The same letters on every machine, and no search for fonts.
  font: {
    loadSystemFonts: false,
    fontFiles: [resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')],
    defaultFontFamily: 'DejaVu Sans',
    sansSerifFamily: 'DejaVu Sans',
  },
  logLevel: 'off',
};

function draw({ svg, side }: SvgJob): SvgAnswer {
  try {
    const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: 'off' });
    const mode = width >= height ? 'width' : 'height';
    return { png: new Resvg(svg, { ...OPTIONS, fitTo: { mode, value: side } }).render().asPng() };
  } catch (error) {
    return { refused: String(error) };
  }
}

// A parent that was killed kills no child, and a drawing keeps the main thread from noticing.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${MAX_LIFETIME_MS})`, { eval: true }).unref();
process.once('message', (job: SvgJob) => {
  // Not before: on a busy machine its start would take too long.
  if (getPriority() < NICE) setPriority(NICE);
  process.send?.(draw(job), () => process.exit(0));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
