/** Repairs JPEG files that every browser draws although they deviate from the standard. */

const END = Buffer.from([0xff, 0xd9]);
const SCAN = 0xda;
const APP14 = 0xee;
/** Of the segment, without its two length bytes. */
const ADOBE = { name: 'Adobe', transform: 11, length: 12 } as const;

export interface JpegFile {
  readonly file: Buffer;
  /** Whether the file has an end marker. One without may be truncated anywhere. */
  readonly hasEnd: boolean;
}

/**
 * The same file with a missing end marker added, and with an Adobe marker that states what decoders assume without one:
 * YCbCr for three components, YCCK for four.
 */
export function mendedJpeg(original: Buffer): JpegFile {
  const file = Buffer.from(original);
  let at = 2;
  let colours = 3;
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = file.readUInt16BE(at + 2);
    if (isFrame(marker)) colours = file[at + 9] ?? 3;
    if (marker === SCAN) break;
    at += 2 + length;
  }
  mendAdobe(file, at, colours);
  const hasEnd = file.includes(END, at);
  // A truncated file may end with half of a marker.
  const body = file.at(-1) === 0xff ? file.subarray(0, -1) : file;
  return { file: hasEnd ? file : Buffer.concat([body, END]), hasEnd };
}

/** SOF0 to SOF15 without the table segments among them (ITU T.81, table B.1). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function mendAdobe(file: Buffer, scan: number, colours: number): void {
  let at = 2;
  while (at + 4 <= scan && file[at] === 0xff) {
    const length = file.readUInt16BE(at + 2);
    const segment = file.subarray(at + 4, at + 2 + length);
    const isAdobe = file[at + 1] === APP14 && segment.length >= ADOBE.length && segment.toString('latin1', 0, 5) === ADOBE.name; // prettier-ignore
    if (isAdobe && (segment[ADOBE.transform] ?? 0) > 2) segment[ADOBE.transform] = colours === 4 ? 2 : 1;
    at += file[at + 1] === 0xff ? 1 : 2 + length;
  }
}
