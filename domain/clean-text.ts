/**
 * Cleans the characters of a text that people typed or pasted; docs/guides/text.md has the table. Applied when a text is read,
 * and again when it is drawn, because older rows were stored uncleaned.
 */

/** Cleans a text of one line: no line breaks, single spaces, trimmed; "" when nothing is visible. */
export const cleanLine = (text: string): string => visibleOrEmpty(cleanCharacters(text).replace(/\s+/g, ' ').trim());

/** Cleans a text of several lines: `\n` between them, each trimmed; "" when nothing is visible. */
export const cleanText = (text: string): string => visibleOrEmpty(cleanCharacters(text).trim());

/** Replaces each character by its class; keeps spaces and breaks where they are. */
export function cleanCharacters(text: string): string {
  if (PLAIN.test(text)) return text;
  const hasLeftovers = LEFTOVER.test(text);
  return (
    text
      .replace(/[\uf020-\uf0ff]/g, (sign) => SYMBOLS[sign.charCodeAt(0) - 0xf020] ?? sign)
      // U+0085 alone is a line break; beside other remains of Windows-1252 it is one of those.
      .replace(hasLeftovers ? LEFTOVERS : /$^/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? '')
      .replace(BREAKS, '\n')
      .replace(SPACES, ' ')
      .replace(INVISIBLE, '')
      .replace(JOINERS, '$1')
      .replace(IDLE_JOINER, '')
      .replace(IDLE_SELECTORS, '')
  );
}

/** Printable ASCII and Latin-1 with line feeds: most texts, which need no cleaning. */
const PLAIN = /^[\n\x20-\x7e\xa0-\xac\xae-\xff]*$/;

/* oxlint-disable no-control-regex, no-misleading-character-class -- these expressions classify invisible characters */

/** Line, page and record separators. */
const BREAKS = /\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]/g;

/** Tab, unit separator, and the one space that some fonts draw as a line. */
const SPACES = /[\t\x1f\u1680]/g;

const LEFTOVER = /[\x80-\x84\x86-\x9f]/;
const LEFTOVERS = /[\x80-\x9f]/g;

/**
 * Controls, format characters, fillers, half a surrogate pair. Not here: joiners and
 * variation selectors, which change how their neighbours look, and the two fillers of old Hangul.
 */
const INVISIBLE =
  /(?![\n\u200c\u200d\u115f\u1160\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffc]/gu;

const JOINERS = /([\u200c\u200d])[\u200c\u200d]+/g;

/** A joiner with nothing to join: beside a Latin letter, digit or space, or at either end. */
const IDLE_JOINER = /(?<![^\u0000-\u024f])[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u024f])/gu;

/**
 * Variation selectors after a character without variants. The emoji bases among ASCII and Latin-1 are #, *, digits, ©
 * and ®.
 */
const IDLE_SELECTORS = /(?<![^\u0000-\u024f]|[#*0-9©®])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/* oxlint-enable no-control-regex, no-misleading-character-class */

/** Whether the text has a visible character: combining marks need a base letter, and U+2800 is blank. */
const isVisible = (text: string): boolean =>
  /[^\p{White_Space}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Script=Inherited}\u2800\ufff9-\ufffc]/u.test(
    text,
  );

const visibleOrEmpty = (text: string): string => (isVisible(text) ? text : '');

/** Windows-1252 at 0x80 to 0x9F. Five places are undefined. */
const WINDOWS_1252: readonly string[] = [
  '€',
  '',
  '‚',
  'ƒ',
  '„',
  '…',
  '†',
  '‡',
  'ˆ',
  '‰',
  'Š',
  '‹',
  'Œ',
  '',
  'Ž',
  '',
  '',
  '‘',
  '’',
  '“',
  '”',
  '•',
  '–',
  '—',
  '˜',
  '™',
  'š',
  '›',
  'œ',
  '',
  'ž',
  'Ÿ',
];

/**
 * What Word means by U+F020 to U+F0FF. The characters are Symbol's, except where Word uses a Wingdings sign for lists,
 * arrows and faces: the character does not say which of the two fonts it came from.
 */
const SYMBOL_FONT =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼' +
  `${' '.repeat(33)}€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ `;
const WINGDINGS: Readonly<Record<number, string>> = {
  0x4a: '☺',
  0x4b: '😐',
  0x4c: '☹',
  0x6c: '●',
  0x6e: '■',
  0x6f: '□',
  0x71: '❑',
  0x75: '◆',
  0x76: '❖',
  0x9f: '•',
  0xa7: '▪',
  0xa8: '□',
  0xd8: '➢',
  0xdf: '←',
  0xe0: '→',
  0xe8: '➔',
  0xfb: '✗',
  0xfc: '✓',
  0xfe: '☑',
};
const SYMBOLS: readonly string[] = Array.from(SYMBOL_FONT, (sign, index) => WINGDINGS[index + 0x20] ?? sign);
