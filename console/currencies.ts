import { isCurrency } from '../domain/money.ts';
import type { Option } from './forms/fields.ts';

const NAMES = new Intl.DisplayNames(['es-MX'], { type: 'currency' });
/** Of the countries that most businesses quote in. */
const FIRST = ['MXN', 'USD', 'EUR', 'BRL', 'COP', 'CAD'];

/** Every currency with its name, for a select. */
export const CURRENCIES: readonly Option[] = [
  ...new Set([...FIRST, ...Intl.supportedValuesOf('currency').filter((code) => isCurrency(code))]),
].map((value) => ({ value, label: `${value} · ${NAMES.of(value) ?? ''}` }));
