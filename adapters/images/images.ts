import { fileTypeFromBuffer } from 'file-type';
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

const SIGNATURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);
const RASTER: ReadonlySet<string> = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/webp']);

/** Loaded by the first image, for most processes see none: the decoder takes 20 MB and a tenth of a second. */
const loadDecoder = () => import('./redraw.ts');

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
      const { LOGO_SIDE, redrawn } = await loadDecoder();
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
      const { redrawnSignature } = await loadDecoder();
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
