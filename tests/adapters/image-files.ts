import { crc32 } from 'node:zlib';
import sharp, { type Color } from 'sharp';

/** Image files as users and attackers make them. */

export const png = ({ width, height, background = '#cc0000' }: { width: number; height: number; background?: Color }) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();

/** A drawing of 100 × 100. */
export const svg = (content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">${content}</svg>`,
  );

/** A drawing that uses a core for as long as its process may live. */
export function endlessSvg(): Buffer {
  const zigzag = Array.from({ length: 8_000 }, (_, i) => `L${(i * 7_919) % 100} ${(i * 104_729) % 100}`).join('');
  const dashes = 'fill="none" stroke="red" stroke-width="40" stroke-linecap="round" stroke-dasharray=".5 .5"';
  return svg(`<path ${dashes} d="M0 0${zigzag}"/>`);
}

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

/** The PNG with a correct checksum over its changed header. */
export function withCrc(file: Buffer): Buffer {
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  return file;
}

/** A PNG with alpha and correct checksums, whatever its pixels are. pdfkit decodes these after drawing. */
export function transparentPngWith(pixels: Buffer): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.from([0, 0, 0, 9, 0, 0, 0, 9, 8, 6, 0, 0, 0]);
  const signatureOfPng = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signatureOfPng, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** The child processes of this one. */
export const childProcesses = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length;
