import { COUNTRY_CODES } from '../domain/countries.ts';
import type { Option } from './forms/fields.ts';

const names = new Intl.DisplayNames(['es-MX'], { type: 'region' });

/** Every country with its name, for a select. */
export const COUNTRIES: readonly Option[] = COUNTRY_CODES.map((value) => ({
  value,
  label: names.of(value) ?? value,
})).sort((a, b) => a.label.localeCompare(b.label, 'es-MX'));
