import { cleanCharacters } from '../../domain/clean-text.ts';

// The characters of Helvetica as a standard font: Latin-1 and the 27 extras of WinAnsi. Others need an embedded font.
const OUTSIDE_WIN_ANSI = /[^\n\x20-\x7e\xa0-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/u;

const graphemes = new Intl.Segmenter('es-MX', { granularity: 'grapheme' });

/** Whether the standard fonts have the whole text. */
export const fitsWinAnsi = (text: string): boolean => !OUTSIDE_WIN_ANSI.test(text);

/** A printed heading: in capitals. */
export const capitals = (heading: string): string => heading.toUpperCase();

/** Makes typed text drawable: composed letters, `\n` line ends, no invisible characters, no markup. */
export const plainText = (text: string): string => cleanCharacters(text).normalize('NFC');

/** The text as grapheme clusters: a letter with its accents, a whole emoji. */
export const letters = (text: string): string[] =>
  // Every WinAnsi character is its own cluster, as is any single code unit; the segmenter is slow.
  text.length === 1 || fitsWinAnsi(text) ? Array.from(text) : slices(text).flatMap((slice) => Array.from(graphemes.segment(slice), ({ segment }) => segment)); // prettier-ignore

// The segmenter's time is quadratic in the length. Fields are shorter than a slice, so no cluster is split there.
const slices = (text: string): readonly string[] => text.match(/.{1,4000}/gsu) ?? [];
