import type { BrandingOfDrawing } from '../../domain/quote-drawing.ts';
import { hasLightLogo } from '../../domain/logo.ts';
import { logoGround } from './logo-ground.ts';
import { readPng } from './png.ts';

/** PNG's colour types with transparency: grey and RGB. */
const TRANSPARENT: ReadonlySet<number> = new Set([4, 6]);
/** Padding of the dark background around a light logo, as a share of its height. */
const MARGIN = 0.18;

/**
 * The logo without transparency, which would cost pdfkit many times the rest of a quote. A file that is no valid PNG
 * with transparency is returned unchanged.
 */
export async function logoOnPaper(file: Buffer, branding: BrandingOfDrawing | null): Promise<Buffer> {
  const png = readPng(file);
  if (!png || !TRANSPARENT.has(png.colourType)) return file;
  // Few logos need it, and loading takes 0.1 s.
  const { default: sharp } = await import('sharp');
  const background = logoGround(branding);
  const margin = hasLightLogo(branding) ? Math.ceil(png.height * MARGIN) : 0;
  const flat = sharp(file).flatten({ background });
  return flat
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background })
    .toColourspace('srgb')
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer()
    .catch(() => file);
}
