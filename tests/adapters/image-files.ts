import { crc32 } from 'node:zlib';
import sharp, { type Color } from 'sharp';

/** Image files, as users and attackers make them. */

export const png = ({ width, height, background = '#cc0000' }: { width: number; height: number; background?: Color }) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();

/** A drawing of 100 × 100. */
export const svg = (content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">${content}</svg>`,
  );

/** The colour of one pixel, #rrggbb. */
export async function hexAt(image: Buffer, left: number, top: number): Promise<string> {
  const pixel = await sharp(image)
    .extract({ left, top, width: 1, height: 1 })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer();
  return `#${pixel.toString('hex')}`;
}

/** The PNG with a right checksum over its changed header. */
export function withCrc(file: Buffer): Buffer {
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  return file;
}
