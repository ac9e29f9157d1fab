/** The largest valid quote: domain/quote-size.ts, and the schema of a quote's lines. */
export const LINES = 1_000;
/** Of the name of each line. */
export const LETTERS = 200;

/** First letter and number of letters of each script. */
export const SCRIPTS = {
  Latin: [0x61, 26],
  Cyrillic: [0x430, 32],
  Arabic: [0x628, 35],
  Hebrew: [0x5d0, 27],
  Thai: [0xe01, 46],
  Devanagari: [0x905, 53],
  Han: [0x4e00, 12_000],
  Hangul: [0xac00, 11_000],
  emoji: [0x1f600, 64],
} as const;

/**
 * Words of two to eight letters, all different, so that no cache makes them cheap; without spaces when `words` is
 * false.
 */
export function createText([first, count]: readonly [number, number], { words = true } = {}) {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(seed / 65_536) % below;
  };
  return () => {
    let left = 2;
    return Array.from({ length: LETTERS }, () => {
      left -= 1;
      if (words && left < 0) {
        left = 2 + random(7);
        return ' ';
      }
      return String.fromCodePoint(first + random(count));
    }).join('');
  };
}
