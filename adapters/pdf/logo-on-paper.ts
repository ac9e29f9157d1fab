import { LRUCache } from 'lru-cache';
import type { BrandingOfDrawing } from '../../domain/quote-drawing.ts';
import { hasLightLogo } from '../../domain/logo.ts';
import { logoGround } from './logo-ground.ts';
import { mayBeTransparent, type Png, readPng } from './png.ts';

/** Padding of the dark background around a light logo, as a share of its height. */
const MARGIN = 0.18;

/** Of files in one thread. The largest logo has one megabyte, a usual one a hundredth of that. */
const MAX_CACHED_BYTES = 6_000_000;

/** A picture's file, and what it has if it was read as a PNG. */
export interface PictureFile {
  readonly file: Buffer;
  readonly png?: Png | undefined;
}

interface OnPaper {
  readonly file: Buffer;
  readonly flat: PictureFile;
}

/** All quotes of a business have the same logo. It is compared with the cached one, which cannot be out of date. */
const flattened = new LRUCache<string, OnPaper>({
  maxSize: MAX_CACHED_BYTES,
  sizeCalculation: ({ file, flat }) => file.length + flat.file.length,
});

/**
 * The logo without transparency, which would cost pdfkit many times the rest of a quote. A file that is no valid PNG
 * with transparency is returned unchanged.
 */
export async function logoOnPaper(file: Buffer, branding: BrandingOfDrawing | null): Promise<PictureFile> {
  if (!mayBeTransparent(file)) return { file };
  const background = logoGround(branding);
  const key = `${branding?.logoKey} ${background}`;
  const known = flattened.get(key);
  if (known?.file.equals(file)) return known.flat;
  const png = readPng(file);
  if (!png) return { file };
  try {
    const opaque = await flatten(file, background, hasLightLogo(branding) ? Math.ceil(png.height * MARGIN) : 0);
    const flat = { file: opaque, png: readPng(opaque) };
    // A copy: the caller's memory has the next logo next time.
    flattened.set(key, { file: Buffer.from(file), flat });
    return flat;
  } catch {
    return { file };
  }
}

async function flatten(file: Buffer, background: string, margin: number): Promise<Buffer> {
  // Few logos need it, and loading takes 0.1 s.
  const { default: sharp } = await import('sharp');
  return sharp(file)
    .flatten({ background })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background })
    .toColourspace('srgb')
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer();
}
