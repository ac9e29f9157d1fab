import { createRequire } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js';
import { foreignFonts } from './svg-fonts.ts';
import { embeddedImages } from './svg-images.ts';
import { planSvg } from './svg-plan.ts';
import { refuse, SvgRefused } from './svg-refused.ts';
import { NotAnSvg, readSvg } from './svg-tree.ts';
import { writeSvg } from './svg-write.ts';

/**
 * A process of its own that reads and draws one SVG and ends. Its parent reads nothing of the file, and kills the process
 * when it takes too long: the library cannot be interrupted.
 */

/** Longer than the parent lets it live. Milliseconds. */
const MAX_LIFETIME_MS = 15_000;
/** A drawing may use a core for seconds. Requests go first. */
const NICE = 10;

export interface SvgJob {
  /** As it came. */
  readonly file: Uint8Array;
  /** The drawing fits into a square of so many pixels. */
  readonly side: number;
}
/** 'ready' when it can be given its job, then the one answer. */
export type SvgAnswer =
  | { readonly png: Uint8Array; readonly foreignFonts: readonly string[] }
  /** A sentence for people when the file is an SVG. */
  | { readonly refused: string; readonly isSvg: boolean };

const { resolve } = createRequire(import.meta.url);

const OPTIONS: ResvgRenderOptions = {
  // The same letters on every machine, and no search for fonts.
  font: {
    loadSystemFonts: false,
    fontFiles: [resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')],
    defaultFontFamily: 'DejaVu Sans',
    sansSerifFamily: 'DejaVu Sans',
    serifFamily: 'DejaVu Sans',
    monospaceFamily: 'DejaVu Sans',
    cursiveFamily: 'DejaVu Sans',
    fantasyFamily: 'DejaVu Sans',
  },
  logLevel: 'off',
};

async function draw({ file, side }: SvgJob): Promise<SvgAnswer> {
  try {
    const source = readSvg(Buffer.from(file));
    const plan = planSvg(source);
    const svg = writeSvg(source.root, plan, await embeddedImages(plan));
    const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: 'off' });
    const mode = width >= height ? 'width' : 'height';
    const image = new Resvg(svg, { ...OPTIONS, fitTo: { mode, value: side } }).render();
    if (isEmpty(image.pixels)) throw refuse.empty();
    return { png: image.asPng(), foreignFonts: foreignFonts(plan.fonts) };
  } catch (error) {
    if (error instanceof NotAnSvg) return { refused: error.message, isSvg: false };
    return { refused: (error instanceof SvgRefused ? error : refuse.undrawable()).message, isSvg: true };
  }
}

/** Whether every pixel is transparent. */
function isEmpty(pixels: Buffer): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) return false;
  return true;
}

// A parent that was killed kills no child, and a drawing keeps the main thread from noticing.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${MAX_LIFETIME_MS})`, { eval: true }).unref();
process.once('message', (job: SvgJob) => {
  // Not before: on a busy machine its start would take too long.
  if (getPriority() < NICE) setPriority(NICE);
  void draw(job).then((answer) => process.send?.(answer, () => process.exit(0)));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
