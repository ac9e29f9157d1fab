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
  text.length === 1 || SEPARATE.test(text)
    ? Array.from(text)
    : slices(text).flatMap((slice) => Array.from(graphemes.segment(slice), ({ segment }) => segment));

/** Texts of characters that are clusters of their own beside any other character. The segmenter is slow. */
const SEPARATE =
  /^[\n\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u0590\u05be\u05d0-\u05f4\u0620-\u064a\u0660-\u066f\u0671-\u06d3\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u3000-\u3029\u3030-\u303c\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d]*$/;

// The segmenter's time is quadratic in the length. Fields are shorter than a slice, so no cluster is split there.
const slices = (text: string): readonly string[] => text.match(/.{1,4000}/gsu) ?? [];
