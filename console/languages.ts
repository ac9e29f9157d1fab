import type { Locale } from '../domain/locale.ts';
import type { Option } from './forms/fields.ts';

const NAMES: Readonly<Record<Locale, string>> = {
  'es-MX': 'Español (México)',
  'en-US': 'Inglés (Estados Unidos)',
  'pt-BR': 'Portugués (Brasil)',
};

/** The languages of what clients read, for a select. */
export const LANGUAGES: readonly Option[] = Object.entries(NAMES).map(([value, label]) => ({ value, label }));
