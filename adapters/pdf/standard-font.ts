import { createRequire } from 'node:module';

/** A font that every reader has: Latin letters in the WinAnsi encoding, one byte each. */
export interface StandardFont {
  /** The width in thousandths of the font's size, with kerning. */
  advance(text: string): number;
  /** The text as operands of the operator TJ. */
  operands(text: string): string;
}

/** Adobe's metrics as pdfkit publishes them. */
interface Metrics {
  readonly glyphNames: string;
  /** In the order of the names. */
  readonly glyphWidths: readonly number[];
  /** By kerning: the differences between the numbers of its pairs, each number left × count of names + right. */
  readonly kernPairs: readonly (number | readonly number[])[];
}

const require = createRequire(import.meta.url);

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);

/** The characters of WinAnsi outside Latin-1, and their bytes. */
const EXTRAS = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const EXTRA_BYTES = [0x80, ...range(0x82, 0x8c), 0x8e, ...range(0x91, 0x9c), 0x9e, 0x9f];
const BYTES: ReadonlyMap<number, number> = new Map(EXTRA_BYTES.map((byte, at) => [EXTRAS.charCodeAt(at), byte]));

/** The byte of each glyph name. Two bytes have no name of their own: they look like a space and like Ÿ. */
const NAMED_BYTES = [...range(0x20, 0x7e), ...EXTRA_BYTES, ...range(0xa1, 0xac), ...range(0xae, 0xfe)];
const ALIASES = [[0xa0, 0x20], [0xff, 0x9f]] as const; // prettier-ignore

const byteOf = (code: number): number => (code < 0x100 ? code : (BYTES.get(code) ?? 0));

const parsed = new Map<string, StandardFont>();

/** The font's metrics never change: they are parsed once per thread. */
export function standardFont(name: string): StandardFont {
  const font = parsed.get(name) ?? parse(name);
  parsed.set(name, font);
  return font;
}

function parse(name: string): StandardFont {
  // The package has a file for each font.
  const metrics = require(`pdfkit/standard-fonts/${name.replace('-', '')}`) as Metrics;
  const widths = widthsOf(metrics);
  const kerning = kerningOf(metrics);
  const kern = (left: number, right: number): number => kerning[(left << 8) | right] ?? 0;

  return {
    advance(text) {
      let sum = 0;
      let left = 0;
      for (let at = 0; at < text.length; at += 1) {
        const byte = byteOf(text.charCodeAt(at));
        sum += (widths[byte] ?? 0) + kern(left, byte);
        left = byte;
      }
      return sum;
    },

    operands(text) {
      const bytes = toBytes(text);
      let operands = '';
      let start = 0;
      for (let at = 1; at < bytes.length; at += 1) {
        const amount = kern(bytes.charCodeAt(at - 1), bytes.charCodeAt(at));
        if (amount === 0) continue;
        operands += `(${escaped(bytes.slice(start, at))})${-amount}`;
        start = at;
      }
      return `${operands}(${escaped(bytes.slice(start))})`;
    },
  };
}

function widthsOf({ glyphWidths }: Metrics): Int16Array {
  const widths = new Int16Array(256);
  for (const [index, byte] of NAMED_BYTES.entries()) widths[byte] = glyphWidths[index] ?? 0;
  for (const [byte, like] of ALIASES) widths[byte] = widths[like] ?? 0;
  return widths;
}

/** By pair of bytes: left × 256 + right. */
function kerningOf({ kernPairs }: Metrics): Int16Array {
  const kerning = new Int16Array(0x10000);
  let amount = 0;
  for (const entry of kernPairs) {
    if (typeof entry === 'number') {
      amount = entry;
      continue;
    }
    let pair = 0;
    for (const difference of entry) {
      pair += difference;
      const left = NAMED_BYTES[Math.floor(pair / NAMED_BYTES.length)] ?? 0;
      const right = NAMED_BYTES[pair % NAMED_BYTES.length] ?? 0;
      kerning[(left << 8) | right] = amount;
    }
  }
  for (const [byte, like] of ALIASES) {
    for (let other = 0; other < 0x100; other += 1) {
      kerning[(byte << 8) | other] = kerning[(like << 8) | other] ?? 0;
      kerning[(other << 8) | byte] = kerning[(other << 8) | like] ?? 0;
    }
  }
  return kerning;
}

const OUTSIDE_LATIN_1 = /[^\0-\xff]/g;

const toBytes = (text: string): string =>
  text.replace(OUTSIDE_LATIN_1, (character) => String.fromCharCode(byteOf(character.charCodeAt(0))));

const escaped = (bytes: string): string => bytes.replace(/[()\\]/g, '\\$&');
