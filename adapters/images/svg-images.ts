import { LOGO_SIDE, MAX_MEGAPIXELS, MAX_PIXELS } from './limits.ts';
import { refuse } from './svg-refused.ts';
import type { SvgPlan } from './svg-plan.ts';
import type { EmbeddedImage } from './svg-write.ts';

const DATA_URL = /^data:image\/(?:png|jpe?g)\s*;\s*base64\s*,([A-Za-z0-9+/\s]+={0,2}\s*)$/i;
/** Twice the logo's side, because an image may be shown in part. */
const SIDE = 2 * LOGO_SIDE;

/**
 * Decodes and encodes the images inside a drawing, so that the renderer decodes nothing that was uploaded. Returns
 * their intrinsic sizes with them.
 */
export async function embeddedImages({ seen, links }: SvgPlan): Promise<ReadonlyMap<string, EmbeddedImage>> {
  const urls = new Set<string>();
  for (const element of seen.keys()) {
    const url = element.name === 'image' ? links.get(element) : undefined;
    if (url !== undefined) urls.add(url);
  }
  const images = new Map<string, EmbeddedImage>();
  if (urls.size === 0) return images;
  // Few drawings have any, and loading takes 0.1 s.
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  const damaged = () => {
    throw refuse.embedded();
  };
  const files: { url: string; file: Buffer; width: number; height: number }[] = [];
  for (const url of urls) {
    const file = fileOf(url);
    const { width, height, format } = await sharp(file, { limitInputPixels: false }).metadata().catch(damaged);
    if (format !== 'png' && format !== 'jpeg') throw refuse.embedded();
    files.push({ url, file, width, height });
  }
  // Checked before decoding: a few bytes may claim any size.
  const pixels = files.reduce((sum, { width, height }) => sum + width * height, 0);
  if (pixels > MAX_PIXELS) throw refuse.embeddedPixels(MAX_MEGAPIXELS);
  for (const { url, file, width, height } of files) {
    const png = await sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 1 })
      .toBuffer()
      .catch(damaged);
    images.set(url, { url: `data:image/png;base64,${png.toString('base64')}`, width, height });
  }
  return images;
}

function fileOf(url: string): Buffer {
  if (!/^data:/i.test(url)) throw refuse.external(url);
  const [, base64] = DATA_URL.exec(url) ?? [];
  if (base64 === undefined) throw refuse.embedded();
  return Buffer.from(base64, 'base64');
}
