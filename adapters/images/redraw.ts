import sharp from 'sharp';

/** Longest side of a logo, in pixels. */
export const LOGO_SIDE = 600;
const SIGNATURE = { width: 900, height: 300 } as const;
/** 16 million: a photo of a phone passes, a bomb does not. */
const MOST_PIXELS = 16_000_000;
const DECODE_SECONDS = 5;

// One decoder thread and no cache: uploads are rare, and other requests need the cores.
sharp.concurrency(1);
sharp.cache(false);

/** Decodes and encodes: non-interlaced, 8 bits, no alpha, no metadata, the first frame only. */
export const redrawn = (image: Buffer): Promise<Buffer> =>
  sharp(image, { limitInputPixels: MOST_PIXELS, failOn: 'warning' })
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize({ width: LOGO_SIDE, height: LOGO_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer();

/** What is drawn on a signature's paper, without the empty paper around it. */
export async function signatureRedrawn(image: Buffer): Promise<Buffer> {
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
