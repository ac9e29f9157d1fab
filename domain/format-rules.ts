import type { Locale } from './locale.ts';

/** How amounts, percentages, dates and times are written in each language. */
export interface FormatRules {
  readonly thousands: string;
  readonly decimal: string;
  /** Between the sign of a currency and its figure. */
  readonly afterSign: string;
  /** After the figure of a percentage. */
  readonly percent: string;
  /** January to December. */
  readonly months: readonly string[];
  readonly date: (day: number, month: string, year: number) => string;
  /** @param time "18:04" or "18:04:09" */
  readonly moment: (date: string, time: string, zone: string) => string;
}

// Own tables rather than Intl: its output changes between releases of ICU, and what was signed must be reproducible.
export const FORMAT_RULES: Readonly<Record<Locale, FormatRules>> = {
  'es-MX': {
    thousands: ',',
    decimal: '.',
    afterSign: '',
    percent: ' %',
    months: [
      'enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio',
      'julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre',
    ], // prettier-ignore
    date: (day, month, year) => `${day} de ${month} de ${year}`,
    moment: (date, time, zone) => `${date}, ${time} (${zone})`,
  },
  'en-US': {
    thousands: ',',
    decimal: '.',
    afterSign: '',
    percent: '%',
    months: [
      'January', 'February', 'March', 'April', 'May', 'June',
      'July', 'August', 'September', 'October', 'November', 'December',
    ], // prettier-ignore
    date: (day, month, year) => `${month} ${day}, ${year}`,
    moment: (date, time, zone) => `${date} at ${twelveHour(time)} (${zone})`,
  },
  'pt-BR': {
    thousands: '.',
    decimal: ',',
    afterSign: '\u00a0',
    percent: '%',
    months: [
      'janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho',
      'julho', 'agosto', 'setembro', 'outubro', 'novembro', 'dezembro',
    ], // prettier-ignore
    date: (day, month, year) => `${day === 1 ? '1º' : day} de ${month} de ${year}`,
    moment: (date, time, zone) => `${date}, ${time} (${zone})`,
  },
};

/** "18:04:09" → "6:04:09 PM" */
function twelveHour(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}
