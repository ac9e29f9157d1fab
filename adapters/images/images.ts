import { fileTypeFromBuffer } from 'file-type';
import { createFairQueue, type QueueWatch, type Turn } from '../fair-queue.ts';
import { LOGO_SIDE, MAX_MEGAPIXELS, MAX_PIXELS } from './limits.ts';
import { DrawingUnavailable, rasterise } from './svg.ts';
import { SvgRefused } from './svg-refused.ts';

/** Images that users send, made anew: what is stored is a drawing of the image and never the file that came. */
export interface Images {
  /**
   * A logo of any permitted kind as a PNG of at most 600 × 600. Throws ImageRefused, or DrawingUnavailable. The process that
   * draws an SVG is killed when the turn's signal aborts.
   */
  logo(file: Buffer, turn: Turn): Promise<Logo>;
  /**
   * A signature, drawn or photographed, as an opaque PNG of at most 900 × 300 without the empty paper around it. Throws
   * ImageRefused when the file is no PNG or JPEG or nothing is drawn on it.
   */
  signature(file: Buffer, turn: Turn): Promise<Buffer>;
}

export interface Logo {
  /** With transparency where the file has any. */
  readonly png: Buffer;
  /** It is light on transparency, and meant for a dark ground. */
  readonly isLight: boolean;
  /** Families of fonts of its texts for which another stands in. */
  readonly foreignFonts: readonly string[];
}

/** The file is no PNG, JPEG, WebP or SVG, whatever it calls itself, or it cannot be drawn within bounds. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
  /** A sentence for the person who sent it, where more is to say than that it is no such file. */
  readonly reason: string | undefined;

  constructor(message: string, { cause, reason }: { cause?: unknown; reason?: string | undefined } = {}) {
    super(message, { cause });
    this.reason = reason;
  }
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
    logo: (file, turn) => logos.run(turn, () => logoOf(file, turn.signal)),
    signature: (file, turn) => signatures.run(turn, () => signatureOf(file)),
  };
}

async function logoOf(file: Buffer, signal: AbortSignal | undefined): Promise<Logo> {
  const { redrawnLogo } = await loadDecoder();
  try {
    const type = await fileTypeFromBuffer(file);
    const isRaster = type !== undefined && RASTER.has(type.mime);
    if (isRaster) await assertSize(file);
    // A plain SVG has no signature; whoever reads it finds out whether it is one.
    if (!isRaster && !looksLikeXml(file)) throw new Error('no kind of image that we know');
    const drawn = isRaster ? { png: file, foreignFonts: [] } : await rasterise({ file, side: LOGO_SIDE }, signal);
    const { png, isLight, isEmpty } = await redrawnLogo(drawn.png);
    if (isEmpty) throw new ImageRefused('nothing to see', { reason: 'La imagen es transparente: no muestra nada' });
    return { png, isLight, foreignFonts: drawn.foreignFonts };
  } catch (cause) {
    if (cause instanceof DrawingUnavailable || cause instanceof ImageRefused) throw cause;
    const reason = cause instanceof SvgRefused ? cause.message : undefined;
    throw new ImageRefused('not an image that can be drawn', { cause, reason });
  }
}

/** In any encoding: a process is started only for what may be an SVG. */
const looksLikeXml = (file: Buffer): boolean =>
  /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)?[\s\0]*</.test(file.toString('latin1', 0, 1024));

/** Before anything is decoded: a few bytes may claim any size. */
async function assertSize(file: Buffer): Promise<void> {
  const { sizeOf } = await loadDecoder();
  const { width, height } = await sizeOf(file);
  if (width * height <= MAX_PIXELS) return;
  const megapixels = Math.ceil((width * height) / 100_000) / 10;
  const reason = `La imagen mide ${width} × ${height} (${megapixels} megapíxeles); el máximo es ${MAX_MEGAPIXELS} megapíxeles`;
  throw new ImageRefused('too many pixels', { reason });
}

async function signatureOf(file: Buffer): Promise<Buffer> {
  const { signatureRedrawn } = await loadDecoder();
  try {
    const type = await fileTypeFromBuffer(file);
    if (!type || !SIGNATURES.has(type.mime)) throw new Error('neither PNG nor JPEG');
    return await signatureRedrawn(file);
  } catch (cause) {
    throw new ImageRefused('not a signature that can be drawn', { cause });
  }
}
