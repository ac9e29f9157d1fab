import { createRequire } from 'node:module';
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js';
import { foreignFonts } from './svg-fonts.ts';
import { embeddedImages } from './svg-images.ts';
import { planSvg } from './svg-plan.ts';
import { refuse, SvgRefused } from './svg-refused.ts';
import { NotAnSvg, readSvg } from './svg-tree.ts';
import { writeSvg } from './svg-write.ts';

export interface SvgJob {
  /** As uploaded. */
  readonly file: Uint8Array;
  /** The drawing fits into a square of this many pixels. */
  readonly side: number;
}
export type SvgAnswer =
  | { readonly png: Uint8Array; readonly foreignFonts: readonly string[] }
  /** A sentence for the uploader when the file is an SVG. */
  | { readonly refused: string; readonly isSvg: boolean };

const { resolve } = createRequire(import.meta.url);

const OPTIONS: ResvgRenderOptions = {
  // The bundled font on every machine, without a search for system fonts.
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

/** Reads and draws an SVG. It may use any amount of CPU time, so the service calls it in a child process only. */
export async function drawSvg({ file, side }: SvgJob): Promise<SvgAnswer> {
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
