import assert from 'node:assert/strict';
import { html } from '../../domain/html.ts';
import { LOCALES, localeNamed } from '../../domain/locale.ts';
import { documents as spanish, type DocumentTexts } from '../../domain/texts/es-MX/documents.ts';
import { textsOf } from '../../domain/texts/texts.ts';

/** A text with its arguments inserted, and the arguments that it mentions. */
interface Said {
  readonly text: string;
  readonly mentions: readonly string[];
}

/** All texts by their path, with unique words as arguments. */
function said(texts: object, path = ''): Map<string, Said> {
  const found = new Map<string, Said>();
  for (const [name, value] of Object.entries(texts) as [string, unknown][]) {
    const at = `${path}.${name}`;
    if (typeof value === 'function') {
      const given = Array.from({ length: value.length }, (_, i) => html`<i>Argument${i}</i>`);
      // One kind of argument is enough: strings, numbers and markup are inserted in the same way.
      const text = String((value as (...args: readonly unknown[]) => unknown)(...given));
      found.set(at, { text, mentions: given.map(String).filter((argument) => text.includes(argument)) });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of said(value, at)) found.set(key, inner);
    } else found.set(at, { text: String(value), mentions: [] });
  }
  return found;
}

describe('texts of each language', () => {
  for (const locale of LOCALES) {
    it(`no text in ${locale} is empty, and each mentions the same arguments as the Spanish one`, () => {
      const own = said(textsOf(locale));
      const model = said(textsOf('es-MX'));

      const mentions = (texts: ReadonlyMap<string, Said>) => [...texts].map(([path, text]) => [path, text.mentions]);
      assert.deepEqual([...own].filter(([, { text }]) => text.trim() === ''), []); // prettier-ignore
      assert.deepEqual(mentions(own), mentions(model));
      assert.ok(own.size > 150, String(own.size));
    });
  }

  it('a missing text does not compile', () => {
    const { total: _, ...incomplete } = spanish.quote;
    // @ts-expect-error a text is missing; without the error tsc would report this line
    const texts: DocumentTexts['quote'] = incomplete;

    assert.equal(texts.total, undefined);
  });
});

describe('localeNamed', () => {
  for (const name of ['fr', 'es', 'es-mx', 'EN-US', '', ' es-MX', 'constructor', undefined, null, ['es-MX'], {}]) {
    it(`returns undefined for ${JSON.stringify(name)}`, () => assert.equal(localeNamed(name), undefined));
  }

  it('returns the three locales for their exact names', () => assert.deepEqual(LOCALES.map(localeNamed), [...LOCALES]));
});
