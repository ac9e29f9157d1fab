import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { mendedJpeg } from './jpeg.ts';
import { LOGO_SIDE, MAX_PIXELS } from './limits.ts';

const SIGNATURE = { width: 900, height: 300 } as const;
const DECODE_SECONDS = 5;

// One decoder thread and no cache: uploads are rare, and other requests need the cores.
sharp.concurrency(1);
sharp.cache(false);

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The size that the file declares, read before anything is decoded. */
export async function sizeOf(image: Buffer): Promise<ImageSize> {
  const { width, height } = await sharp(image, { limitInputPixels: false }).metadata();
  return { width, height };
}

export interface RedrawnLogo {
  readonly png: Buffer;
  /** All of it is light, on transparency: it is meant for a dark background. */
  readonly isLight: boolean;
  /** Nothing in it is visible. */
  readonly isEmpty: boolean;
}

/** Decodes and encodes: non-interlaced, 8 bits, no metadata, the first frame only; transparency is kept. */
export async function redrawnLogo(image: Buffer): Promise<RedrawnLogo> {
  const { data, info } = await decoded(image, (file, options) =>
    upright(file, options)
      .resize({ width: LOGO_SIDE, height: LOGO_SIDE, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  const tone = toneOf(data);
  const made = sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } });
  const png = await (tone.isOpaque ? made.removeAlpha() : made).png({ compressionLevel: 9 }).toBuffer();
  return { png, ...tone };
}

/** Decodes and encodes an attachment in its own format: upright, without metadata, the first frame only. */
export const attachmentRedrawn = (image: Buffer, type: 'image/png' | 'image/jpeg'): Promise<Buffer> =>
  decoded(image, (file, options) => {
    const drawn = upright(file, options).toColourspace('srgb');
    return (type === 'image/png' ? drawn.png({ compressionLevel: 9 }) : drawn.jpeg({ quality: 85 })).toBuffer();
  });

/** The drawn part of a signature, without the empty paper around it. */
export async function signatureRedrawn(image: Buffer): Promise<Buffer> {
  const onPaper = await decoded(image, (file, options) =>
    upright(file, options).flatten({ background: 'white' }).toColourspace('srgb').png().toBuffer(),
  );
  const { channels } = await sharp(onPaper).stats();
  if (channels.every(({ min, max }) => min === max)) throw new Error('the image is blank');
  return sharp(onPaper)
    .timeout({ seconds: DECODE_SECONDS })
    .trim({ background: 'white', threshold: 10 })
    .resize({ ...SIGNATURE, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .toBuffer();
}

const upright = (file: Buffer, options: SharpOptions): Sharp =>
  sharp(file, options).timeout({ seconds: DECODE_SECONDS }).autoOrient();

const STRICT = { limitInputPixels: MAX_PIXELS, failOn: 'warning' } as const;
/** Accepts what browsers accept; a truncated file is still refused. */
const TOLERANT = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;

/** A JPEG with an end marker may have faults that every decoder repairs; any other file must be complete. */
async function decoded<T>(image: Buffer, decode: (file: Buffer, options: SharpOptions) => Promise<T>): Promise<T> {
  if (image[0] !== 0xff || image[1] !== 0xd8) return decode(image, STRICT);
  const { file, hasEnd } = mendedJpeg(image);
  try {
    return await decode(file, STRICT);
  } catch (error) {
    if (!hasEnd) throw error;
    return decode(file, TOLERANT);
  }
}

const SEEN = 128;
const LIGHT = 200;

/** @param pixels red, green, blue and alpha of each */
function toneOf(pixels: Buffer): Omit<RedrawnLogo, 'png'> & { readonly isOpaque: boolean } {
  let seen = 0;
  let light = 0;
  let traces = 0;
  let opaque = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = [pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3]];
    if (alpha > 0) traces += 1;
    if (alpha === 255) opaque += 1;
    if (alpha < SEEN) continue;
    seen += 1;
    // Rec. 709 without its transfer curve, which is close enough.
    if (0.2126 * red + 0.7152 * green + 0.0722 * blue >= LIGHT) light += 1;
  }
  const all = pixels.length / 4;
  return {
    isOpaque: opaque === all,
    isEmpty: traces === 0,
    // A few darker pixels are the edges of letters.
    isLight: seen > 0 && seen <= all * 0.97 && light >= seen * 0.95,
  };
}
