import { cleanCharacters } from '../../domain/clean-text.ts';

// What Helvetica has as a standard font: Latin-1 and the 27 extras of WinAnsi. Everything else needs an embedded face.
const OUTSIDE_WIN_ANSI = /[^\n\x20-\x7e\xa0-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/u;

const graphemes = new Intl.Segmenter('es-MX', { granularity: 'grapheme' });

/** Whether the standard fonts can write the whole text. */
export const fitsWinAnsi = (text: string): boolean => !OUTSIDE_WIN_ANSI.test(text);

/** A printed heading: in capitals. */
export const capitals = (heading: string): string => heading.toUpperCase();

/** A text as people typed it, made drawable: composed letters, `\n` line ends, no invisible characters, no markup. */
export const plainText = (text: string): string => cleanCharacters(text).normalize('NFC');

/** The text as units that may not be torn apart: a letter with its accents, a whole emoji. */
export const letters = (text: string): string[] =>
  // Every WinAnsi character stands alone, as does whatever is one code unit; the segmenter is slow.
  text.length === 1 || fitsWinAnsi(text) ? Array.from(text) : slices(text).flatMap((slice) => Array.from(graphemes.segment(slice), ({ segment }) => segment)); // prettier-ignore

// The segmenter's time grows with the square of the length. Fields are shorter than a slice, so no letter is torn there.
const slices = (text: string): readonly string[] => text.match(/.{1,4000}/gsu) ?? [];
