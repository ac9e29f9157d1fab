import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const INTERLACE_AT = 28;
const MOST_PIXELS = 4_000_000;

/**
 * Whether the file is a whole PNG that can be drawn at once: every chunk with its right checksum, not interlaced, of a
 * sane size. What we store was encoded by ourselves and is; a file that was damaged later is not.
 */
export function isSoundPng(file: Buffer): boolean {
  if (!file.subarray(0, 8).equals(SIGNATURE)) return false;
  const names: string[] = [];
  let at = SIGNATURE.length;
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return false;
    names.push(file.toString('latin1', at + 4, at + 8));
    at = end + 4;
  }
  if (names[0] !== 'IHDR' || !names.includes('IDAT') || names.at(-1) !== 'IEND') return false;
  const pixels = file.readUInt32BE(16) * file.readUInt32BE(20);
  return pixels > 0 && pixels <= MOST_PIXELS && file[INTERLACE_AT] === 0;
}
