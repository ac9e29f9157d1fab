import { fileTypeFromBuffer } from 'file-type';
import { createFairQueue, type QueueWatch, type PermitRequest } from '../fair-queue.ts';
import { LOGO_SIDE, MAX_MEGAPIXELS, MAX_PIXELS } from './limits.ts';
import { ChildUnavailable } from '../child-process/run-job.ts';
import { rasterise } from './svg.ts';
import { SvgRefused } from './svg-refused.ts';

/** Images from users are redrawn: what is stored is a new encoding and never the uploaded file. */
export interface Images {
  /**
   * A logo of any permitted type as a PNG of at most 600 × 600. Throws ImageRefused, or ChildUnavailable. The process
   * that draws an SVG is killed when the request's signal aborts.
   */
  logo(file: Buffer, permit: PermitRequest): Promise<Logo>;
  /**
   * A signature, drawn or photographed, as an opaque PNG of at most 900 × 300 without the empty paper around it. Throws
   * ImageRefused when the file is no PNG or JPEG or the image is blank.
   */
  signature(file: Buffer, permit: PermitRequest): Promise<Buffer>;
  /** An attached PNG or JPEG in the same format and size, without metadata. Throws ImageRefused. Queues with logos. */
  attachment(file: Buffer, type: 'image/png' | 'image/jpeg', permit: PermitRequest): Promise<Buffer>;
}

export interface Logo {
  /** With transparency if the file has any. */
  readonly png: Buffer;
  /** A light logo on transparency, meant for a dark background. */
  readonly isLight: boolean;
  /** Font families of its texts that were replaced by another. */
  readonly foreignFonts: readonly string[];
}

/** The file is no PNG, JPEG, WebP or SVG, whatever its declared type, or it exceeds a limit. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
  /** A sentence for the uploader, when there is more to say than that the type is wrong. */
  readonly reason: string | undefined;

  constructor(message: string, { cause, reason }: { cause?: unknown; reason?: string | undefined } = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

const SIGNATURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);
const RASTER: ReadonlySet<string> = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/webp']);

/** Loaded with the first image, because most processes see none: the decoder takes 20 MB and 0.1 s. */
const loadDecoder = () => import('./redraw.ts');

/** Each may use a core for seconds. */
const QUEUE = { permits: 2, maxWaitingPerKey: 8, maxWaiting: 64, retryAfterSeconds: 2 } as const;

export interface ImagesOptions {
  readonly watch?: { readonly logos: QueueWatch; readonly signatures: QueueWatch };
}

/**
 * Logos and signatures have separate queues, each fair between tenants, so that uploads of logos cannot delay a
 * client's signature.
 */
export function createImages({ watch }: ImagesOptions = {}): Images {
  const logos = createFairQueue({ ...QUEUE, ...(watch && { watch: watch.logos }) });
  const signatures = createFairQueue({ ...QUEUE, ...(watch && { watch: watch.signatures }) });

  return {
    logo: (file, permit) => logos.run(permit, () => logoOf(file, permit.signal)),
    signature: (file, permit) => signatures.run(permit, () => signatureOf(file)),
    attachment: (file, type, permit) => logos.run(permit, () => attachmentOf(file, type)),
  };
}

async function logoOf(file: Buffer, signal: AbortSignal | undefined): Promise<Logo> {
  const { redrawnLogo } = await loadDecoder();
  try {
    const type = await fileTypeFromBuffer(file);
    const isRaster = type !== undefined && RASTER.has(type.mime);
    if (isRaster) await assertSize(file);
    // A plain SVG has no magic number; the reader finds out whether it is one.
    if (!isRaster && !looksLikeXml(file)) throw new Error('unknown image type');
    const drawn = isRaster ? { png: file, foreignFonts: [] } : await rasterise({ file, side: LOGO_SIDE }, signal);
    const { png, isLight, isEmpty } = await redrawnLogo(drawn.png);
    if (isEmpty)
      throw new ImageRefused('the image is fully transparent', {
        reason: 'La imagen es transparente: no muestra nada',
      });
    return { png, isLight, foreignFonts: drawn.foreignFonts };
  } catch (cause) {
    if (cause instanceof ChildUnavailable || cause instanceof ImageRefused) throw cause;
    const reason = cause instanceof SvgRefused ? cause.message : undefined;
    throw new ImageRefused('the image cannot be decoded', { cause, reason });
  }
}

/** In any encoding: a process is started only for a possible SVG. */
const looksLikeXml = (file: Buffer): boolean =>
  /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)?[\s\0]*</.test(file.toString('latin1', 0, 1024));

/** Checked before decoding: a few bytes may claim any size. */
async function assertSize(file: Buffer): Promise<void> {
  const { sizeOf } = await loadDecoder();
  const { width, height } = await sizeOf(file);
  if (width * height <= MAX_PIXELS) return;
  const megapixels = Math.ceil((width * height) / 100_000) / 10;
  const reason = `La imagen mide ${width} × ${height} (${megapixels} megapíxeles); el máximo es ${MAX_MEGAPIXELS} megapíxeles`;
  throw new ImageRefused('too many pixels', { reason });
}

async function attachmentOf(file: Buffer, type: 'image/png' | 'image/jpeg'): Promise<Buffer> {
  const { attachmentRedrawn } = await loadDecoder();
  try {
    await assertSize(file);
    return await attachmentRedrawn(file, type);
  } catch (cause) {
    if (cause instanceof ImageRefused) throw cause;
    throw new ImageRefused('the image cannot be decoded', { cause });
  }
}

async function signatureOf(file: Buffer): Promise<Buffer> {
  const { signatureRedrawn } = await loadDecoder();
  try {
    const type = await fileTypeFromBuffer(file);
    if (!type || !SIGNATURES.has(type.mime)) throw new Error('neither PNG nor JPEG');
    return await signatureRedrawn(file);
  } catch (cause) {
    throw new ImageRefused('the signature cannot be decoded', { cause });
  }
}
