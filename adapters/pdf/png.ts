import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_PIXELS = 4_000_000;

/** A PNG's header (PNG, section 11.2.2), and its chunks. */
export interface Png {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  /** 0 is grey, 2 is RGB; others have a palette or transparency. */
  readonly colourType: number;
  /** Names of its chunks, in order. */
  readonly chunks: readonly string[];
  /** The pixels: the parts of one zlib stream, as in the file. */
  readonly pixels: readonly Buffer[];
}

/**
 * Parses a PNG that can be drawn directly: every chunk with a correct checksum, not interlaced, of limited size.
 * Undefined for anything else. Our stored files are such PNGs unless they were damaged later.
 */
export function readPng(file: Buffer): Png | undefined {
  if (!file.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const chunks: string[] = [];
  const pixels: Buffer[] = [];
  let at = SIGNATURE.length;
  while (at + 12 <= file.length) {
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return undefined;
    const name = file.toString('latin1', at + 4, at + 8);
    chunks.push(name);
    if (name === 'IDAT') pixels.push(file.subarray(at + 8, end));
    at = end + 4;
  }
  if (chunks[0] !== 'IHDR' || pixels.length === 0 || chunks.at(-1) !== 'IEND') return undefined;
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const [bitDepth = 0, colourType = 0, , , interlace] = file.subarray(24, 29);
  if (width * height === 0 || width * height > MAX_PIXELS || interlace !== 0) return undefined;
  return { width, height, bitDepth, colourType, chunks, pixels };
}

/** Colour types with transparency: grey and RGB. */
const TRANSPARENT: ReadonlySet<number | undefined> = new Set([4, 6]);

/** Whether the file, if it is a sound PNG, has an alpha channel. */
export const mayBeTransparent = (file: Buffer): boolean =>
  file.subarray(0, 8).equals(SIGNATURE) && TRANSPARENT.has(file[25]);

export const isSoundPng = (file: Buffer): boolean => readPng(file) !== undefined;
