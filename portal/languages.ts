import { type Html, html } from '../domain/html.ts';
import { LOCALES, type Locale } from '../domain/locale.ts';
import { textsOf } from '../domain/texts/texts.ts';

/** The name of each language in that language. */
const NAMES: Readonly<Record<Locale, string>> = { 'es-MX': 'Español', 'en-US': 'English', 'pt-BR': 'Português' };

/** Links to the same page in the other languages. */
export const languages = (shown: Locale, path: string): Html =>
  html`<nav class="languages" aria-label="${textsOf(shown).page.language}">
    ${LOCALES.map((locale) =>
      locale === shown
        ? html`<span aria-current="true">${NAMES[locale]}</span>`
        : html`<a href="${path}?lang=${locale}" lang="${locale}" hreflang="${locale}">${NAMES[locale]}</a>`,
    )}
  </nav>`;
