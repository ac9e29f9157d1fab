import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { DrawingUnavailable, rasterise } from './svg.ts';
import { cleanSvg } from './svg-markup.ts';

/** Images that users send, made anew: what is stored is a drawing of the image and never the file that came. */
export interface Images {
  /** A logo of any permitted kind as an opaque PNG of at most 600 × 600. Throws ImageRefused, or DrawingUnavailable. */
  logo(file: Buffer): Promise<Buffer>;
  /**
   * A signature, drawn or photographed, as an opaque PNG of at most 900 × 300 without the empty paper around it. Throws
   * ImageRefused when the file is no PNG or JPEG or nothing is drawn on it.
   */
  signature(file: Buffer): Promise<Buffer>;
}

/** The file is no PNG, JPEG, WebP or SVG, whatever it calls itself, or it cannot be drawn within bounds. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

const LOGO_SIDE = 600;
const SIGNATURE = { width: 900, height: 300 } as const;
/** 16 million: a photo of a phone passes, a bomb does not. */
const MOST_PIXELS = 16_000_000;
const DECODE_SECONDS = 5;
const SIGNATURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);
const RASTER: ReadonlySet<string> = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/webp']);

// One decoder thread and no cache: uploads are rare, and other requests need the cores.
sharp.concurrency(1);
sharp.cache(false);

export function createImages(): Images {
  let queue: Promise<unknown> = Promise.resolve();
  /** Drawings one after the other: each may take a whole core for seconds. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const job = queue.then(work);
    queue = job.catch(() => undefined);
    return job;
  };

  return {
    async logo(file) {
      try {
        const type = await fileTypeFromBuffer(file);
        if (type && RASTER.has(type.mime)) return await redrawn(file);
        // A plain SVG has no signature; cleanSvg() itself finds out whether it is one.
        const svg = cleanSvg(file);
        return await redrawn(await inTurn(() => rasterise({ svg, side: LOGO_SIDE })));
      } catch (cause) {
        if (cause instanceof DrawingUnavailable) throw cause;
        throw new ImageRefused('not an image that can be drawn', { cause });
      }
    },

    async signature(file) {
      try {
        const type = await fileTypeFromBuffer(file);
        if (!type || !SIGNATURES.has(type.mime)) throw new Error('neither PNG nor JPEG');
        return await inTurn(() => redrawnSignature(file));
      } catch (cause) {
        throw new ImageRefused('not a signature that can be drawn', { cause });
      }
    },
  };
}

/** Decodes and encodes: non-interlaced, 8 bits, no alpha, no metadata, the first frame only. */
const redrawn = (image: Buffer): Promise<Buffer> =>
  sharp(image, { limitInputPixels: MOST_PIXELS, failOn: 'warning' })
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize({ width: LOGO_SIDE, height: LOGO_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer();

async function redrawnSignature(image: Buffer): Promise<Buffer> {
  const onPaper = await sharp(image, { limitInputPixels: MOST_PIXELS, failOn: 'warning' })
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .png()
    .toBuffer();
  const { channels } = await sharp(onPaper).stats();
  if (channels.every(({ min, max }) => min === max)) throw new Error('nothing is drawn on it');
  return sharp(onPaper)
    .timeout({ seconds: DECODE_SECONDS })
    .trim({ background: 'white', threshold: 10 })
    .resize({ ...SIGNATURE, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .toBuffer();
}
