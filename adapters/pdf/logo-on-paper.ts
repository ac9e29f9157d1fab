import type { BrandingOfDrawing } from '../../domain/quote-drawing.ts';
import { hasLightLogo } from '../../domain/logo.ts';
import { logoGround } from './logo-ground.ts';
import { readPng } from './png.ts';

/** PNG's colour types with transparency: grey and RGB. */
const TRANSPARENT: ReadonlySet<number> = new Set([4, 6]);
/** Of the dark ground around a light logo, in a share of its height. */
const MARGIN = 0.18;

/**
 * The logo as it stands on the paper: without transparency, which costs pdfkit many times the rest of a quote. What is no
 * sound PNG with transparency is given back as it is.
 */
export async function logoOnPaper(file: Buffer, branding: BrandingOfDrawing | null): Promise<Buffer> {
  const png = readPng(file);
  if (!png || !TRANSPARENT.has(png.colourType)) return file;
  // Few logos need it, and it takes a tenth of a second to load.
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
