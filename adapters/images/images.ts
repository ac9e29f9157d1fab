import { fileTypeFromBuffer } from 'file-type';
import { createFairQueue, type QueueWatch, type Turn } from '../fair-queue.ts';
import { DrawingUnavailable, rasterise } from './svg.ts';
import { cleanSvg } from './svg-markup.ts';

/** Images that users send, made anew: what is stored is a drawing of the image and never the file that came. */
export interface Images {
  /**
   * A logo of any permitted kind as an opaque PNG of at most 600 × 600. Throws ImageRefused, or DrawingUnavailable. The
   * process that draws an SVG is killed when the turn's signal aborts.
   */
  logo(file: Buffer, turn: Turn): Promise<Buffer>;
  /**
   * A signature, drawn or photographed, as an opaque PNG of at most 900 × 300 without the empty paper around it. Throws
   * ImageRefused when the file is no PNG or JPEG or nothing is drawn on it.
   */
  signature(file: Buffer, turn: Turn): Promise<Buffer>;
}

/** The file is no PNG, JPEG, WebP or SVG, whatever it calls itself, or it cannot be drawn within bounds. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

const SIGNATURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);
const RASTER: ReadonlySet<string> = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/webp']);

/** Loaded by the first image, for most processes see none: the decoder takes 20 MB and a tenth of a second. */
const loadDecoder = () => import('./redraw.ts');

/** Each may take a core for seconds. */
const QUEUE = { permits: 2, maxWaitingPerKey: 8, maxWaiting: 64, retryAfterSeconds: 2 } as const;

export interface ImagesOptions {
  readonly watch?: { readonly logos: QueueWatch; readonly signatures: QueueWatch };
}

/**
 * Logos and signatures have a queue each, by turns of tenants: a business that uploads logos keeps no client from
 * signing.
 */
export function createImages({ watch }: ImagesOptions = {}): Images {
  const logos = createFairQueue({ ...QUEUE, ...(watch && { watch: watch.logos }) });
  const signatures = createFairQueue({ ...QUEUE, ...(watch && { watch: watch.signatures }) });

  return {
    logo: (file, turn) => logos.run(turn, () => redrawnLogo(file, turn.signal)),
    signature: (file, turn) => signatures.run(turn, () => redrawnSignature(file)),
  };
}

async function redrawnLogo(file: Buffer, signal: AbortSignal | undefined): Promise<Buffer> {
  const { LOGO_SIDE, redrawn } = await loadDecoder();
  try {
    const type = await fileTypeFromBuffer(file);
    if (type && RASTER.has(type.mime)) return await redrawn(file);
    // A plain SVG has no signature; cleanSvg() itself finds out whether it is one.
    return await redrawn(await rasterise({ svg: cleanSvg(file), side: LOGO_SIDE }, signal));
  } catch (cause) {
    if (cause instanceof DrawingUnavailable) throw cause;
    throw new ImageRefused('not an image that can be drawn', { cause });
  }
}

async function redrawnSignature(file: Buffer): Promise<Buffer> {
  const { signatureRedrawn } = await loadDecoder();
  try {
    const type = await fileTypeFromBuffer(file);
    if (!type || !SIGNATURES.has(type.mime)) throw new Error('neither PNG nor JPEG');
    return await signatureRedrawn(file);
  } catch (cause) {
    throw new ImageRefused('not a signature that can be drawn', { cause });
  }
}
