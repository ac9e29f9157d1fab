import { FORMAT_RULES } from '../../domain/format-rules.ts';

interface DayOfChart {
  readonly date: string;
  readonly generated: number;
  readonly won: number;
  readonly amount: number;
}

const MAX_DAYS = 62;
const MAX_WEEKS = 370;
const DAYS_OF_WEEK = 7;

const { months } = FORMAT_RULES['es-MX'];
const monthOf = (date: string): string => (months[Number(date.slice(5, 7)) - 1] ?? '').slice(0, 3);
const dayName = (date: string): string => `${Number(date.slice(8))} ${monthOf(date)}`;

/** The days as bars: up to two months by day, a year by week, longer periods by month. */
export function barsOf(
  days: readonly DayOfChart[],
): readonly (Omit<DayOfChart, 'date'> & { readonly label: string })[] {
  const groups = new Map<string, DayOfChart[]>();
  for (const [index, day] of days.entries()) {
    const key =
      days.length <= MAX_DAYS
        ? day.date
        : days.length <= MAX_WEEKS
          ? String(Math.floor(index / DAYS_OF_WEEK))
          : day.date.slice(0, 7);
    const group = groups.get(key);
    if (group) group.push(day);
    else groups.set(key, [day]);
  }
  return [...groups.values()].map((group) => ({ label: labelOf(group, days.length), ...sumOf(group) }));
}

const sumOf = (group: readonly DayOfChart[]): Omit<DayOfChart, 'date'> => {
  const sum = (pick: (day: DayOfChart) => number): number => group.reduce((total, day) => total + pick(day), 0);
  return {
    generated: sum(({ generated }) => generated),
    won: sum(({ won }) => won),
    // Cents, because sums of binary fractions drift.
    amount: Math.round(sum(({ amount }) => amount) * 100) / 100,
  };
};

function labelOf(group: readonly DayOfChart[], days: number): string {
  const [first, last] = [group[0]?.date ?? '', group.at(-1)?.date ?? ''];
  if (days <= MAX_DAYS) return dayName(first);
  if (days <= MAX_WEEKS) return `${dayName(first)} a ${dayName(last)}`;
  return `${monthOf(first)} ${first.slice(0, 4)}`;
}

const longDay = (date: string): string => `${Number(date.slice(8))} de ${months[Number(date.slice(5, 7)) - 1] ?? ''}`;

/** "Del 1 al 30 de noviembre de 2026", or with both months where they differ. */
export function spanOf(from: string, to: string): string {
  const year = to.slice(0, 4);
  if (from === to) return `${longDay(to)} de ${year}`;
  if (from.slice(0, 7) === to.slice(0, 7)) return `Del ${Number(from.slice(8))} al ${longDay(to)} de ${year}`;
  if (from.slice(0, 4) === year) return `Del ${longDay(from)} al ${longDay(to)} de ${year}`;
  return `Del ${longDay(from)} de ${from.slice(0, 4)} al ${longDay(to)} de ${year}`;
}
