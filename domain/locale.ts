/** The languages of what a client reads: PDF, mail, page, certificate and consent text. */
export const LOCALES = ['es-MX', 'en-US', 'pt-BR'] as const;
export type Locale = (typeof LOCALES)[number];

/** The language of businesses without a choice. */
export const DEFAULT_LOCALE: Locale = 'es-MX';

/** The locale of exactly this name; undefined for anything else. */
export const localeNamed = (name: unknown): Locale | undefined => LOCALES.find((locale) => locale === name);
