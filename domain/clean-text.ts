/**
 * What becomes of the characters of a text that people typed or pasted: the table in docs/text.md. Everything that reads
 * a text applies it, and so does everything that draws one, since older rows were stored as they came.
 */

/** What a name or other text of one line becomes: no line breaks, single spaces, none around; "" when nothing is visible. */
export const cleanLine = (text: string): string => visibleOrEmpty(cleanCharacters(text).replace(/\s+/g, ' ').trim());

/** What a text that may have several lines becomes: `\n` between them, no space around; "" when nothing is visible. */
export const cleanText = (text: string): string => visibleOrEmpty(cleanCharacters(text).trim());

/** Each character by its class, with spaces and breaks where they are. */
export function cleanCharacters(text: string): string {
  if (PLAIN.test(text)) return text;
  const hasLeftovers = LEFTOVER.test(text);
  return (
    text
      .replace(/[\uf020-\uf0ff]/g, (sign) => SYMBOLS[sign.charCodeAt(0) - 0xf020] ?? sign)
      // By itself U+0085 is a line break; beside other leftovers of Windows-1252 it is one of them.
      .replace(hasLeftovers ? LEFTOVERS : /$^/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? '')
      .replace(BREAKS, '\n')
      .replace(SPACES, ' ')
      .replace(INVISIBLE, '')
      .replace(JOINERS, '$1')
      .replace(IDLE_JOINER, '')
      .replace(IDLE_SELECTORS, '')
  );
}

/** Printable ASCII and Latin-1 with line feeds: most texts, and nothing to clean. */
const PLAIN = /^[\n\x20-\x7e\xa0-\xac\xae-\xff]*$/;

/* oxlint-disable no-control-regex, no-misleading-character-class -- which invisible characters mean what is the matter here */

/** Line, page and record separators. */
const BREAKS = /\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]/g;

/** Tab, unit separator, and the one space that some faces draw as a line. */
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

/** A joiner that has nothing to join: beside a Latin letter, digit or space, or at an end. */
const IDLE_JOINER = /(?<![^\u0000-\u024f])[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u024f])/gu;

/** Variation selectors after what has no variants. The bases of emoji among ASCII and Latin-1 are #, *, digits, © and ®. */
const IDLE_SELECTORS = /(?<![^\u0000-\u024f]|[#*0-9©®])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/* oxlint-enable no-control-regex, no-misleading-character-class */

/** Whether anybody sees something of the text: marks alone have no letter to stand on, and U+2800 is a blank. */
const isVisible = (text: string): boolean =>
  /[^\p{White_Space}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Script=Inherited}\u2800\ufff9-\ufffc]/u.test(
    text,
  );

const visibleOrEmpty = (text: string): string => (isVisible(text) ? text : '');

/** What Windows-1252 has at 0x80 to 0x9F. Five places are empty. */
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
 * What Word means by U+F020 to U+F0FF. They are Symbol's characters, but where a Wingdings sign is what Word makes lists,
 * arrows and faces of, that one: nobody can tell from the character which of the two fonts it was in.
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
