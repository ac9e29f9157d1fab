import assert from 'node:assert/strict';
import { cleanLine, cleanText } from '../../domain/clean-text.ts';

/** "U+200B U+0301" */
const codePointsOf = (text: string): string =>
  Array.from(text, (sign) => `U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`).join(' ');

describe('cleanText', () => {
  const breaks: readonly [name: string, separator: string][] = [
    ['a carriage return', '\r'],
    ['a carriage return with a line feed', '\r\n'],
    ['U+000B', '\v'],
    ['U+000C', '\f'],
    ['U+001C', '\u001c'],
    ['U+001E', '\u001e'],
    ['U+0085', '\u0085'],
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
  ];
  for (const [name, separator] of breaks)
    it(`turns ${name} into a line break`, () => {
      assert.equal(cleanText(`Incluye:${separator}Instalación`), 'Incluye:\nInstalación');
    });

  it('turns tabs and unit separators into spaces', () => {
    assert.equal(cleanText('Acero\tA36\u001f3 mm'), 'Acero A36 3 mm');
  });

  it('turns remains of Windows-1252 into the characters that they stand for', () => {
    assert.equal(cleanText('\u0093Acero\u0094 \u0096 5 \u0080 \u0095 10\u0099\u0085'), '“Acero” – 5 € • 10™…');
    assert.equal(cleanText('\u008cuvre \u009cuf \u0089 \u008a'), 'Œuvre œuf ‰ Š');
  });

  it('turns characters of the Symbol font into the characters that they stand for', () => {
    assert.equal(cleanText('\uf0b7 \uf0a7 \uf0d8 \uf0fc'), '• ▪ ➢ ✓');
    assert.equal(cleanText('10 \uf06dm \uf0b1 5 \uf0b0C \uf0b3 3 \uf0a3 4 \uf0d7 \uf057'), '10 μm ± 5 °C ≥ 3 ≤ 4 ⋅ Ω');
  });

  it('removes invisible characters: controls, directions, fillers, tags, byte order marks', () => {
    assert.equal(cleanText('\ufeffAc\u00ade\u200br\u2060o\u0007 \u202e3\u2066 m\u3164m\u{e0041}\u034f'), 'Acero 3 mm');
  });

  it('keeps joiners and variation selectors that change what is visible', () => {
    for (const text of ['👩‍⚕️', '❤️', '1️⃣', '©️', 'می‌خواهم', '葛󠄀']) assert.equal(cleanText(text), text);
  });

  it('removes joiners and variation selectors that change nothing', () => {
    assert.equal(cleanText('A\u200dna \u200cTo\u200d\u200crres\ufe0f\u200d'), 'Ana Torres');
  });

  it('keeps wide and no-break spaces, and the letters of every script', () => {
    for (const text of ['1 000 $', '山田　太郎', 'Łódź Ωmega Жук ₹', 'ไทย', 'עברית', '\u0600٣'])
      assert.equal(cleanText(text), text);
  });

  it('takes time linear in the number of joiners, selectors and spaces', () => {
    const before = performance.now();
    for (const filler of ['\u200d', '\ufe0f', ' ', '\u0093', '\u200b', '\n'])
      cleanText(`ع${filler.repeat(1_000_000)}ع`);
    assert.ok(performance.now() - before < 3_000);
  });
});

describe('cleanLine', () => {
  it('turns breaks of any kind into one space, and collapses runs of spaces', () => {
    assert.equal(cleanLine('  Juan\nTotal aceptado      $1.00\u2028\v MXN \r\n'), 'Juan Total aceptado $1.00 MXN');
  });

  const unseen = ['\u200b', '\u00ad', '\u2060\u200d', '\u3164', '\uffa0', '\u2800', '\u0301', '\u115f', '\ufe0f', ' \t\n', '\u{e0020}', '\u001b', '\ufffc', '\u180e']; // prettier-ignore
  for (const text of unseen)
    it(`is empty for ${codePointsOf(text)}, which is invisible`, () => {
      assert.equal(cleanLine(text), '');
      assert.equal(cleanText(`${text}\n${text}`), '');
    });

  for (const text of ['.', '1', 'Ж', '山', '🦤', 'อ'])
    it(`keeps ${text}`, () => {
      assert.equal(cleanLine(`\u200b ${text}\u2060`), text);
    });
});
