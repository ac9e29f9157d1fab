import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { median, quantile, type Sample, type Samples } from './measure.ts';
import { type Findings, type Goal, meets } from './row.ts';

/** Findings of a run, as text for the terminal and docs/performance.md, and as JSON to compare runs. */

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGiB: number;
  readonly node: string;
  readonly postgres: string;
  readonly kernel: string;
}

export interface Reported {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  /** One-minute load average before and after. */
  readonly load: readonly [number, number];
  readonly findings: Findings;
}

export const machine = (postgres: string): Machine => ({
  cores: cpus().length,
  cpu: (cpus()[0]?.model ?? 'unknown').trim(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version.slice(1),
  postgres,
  kernel: readFileSync('/proc/version', 'utf8').split(' ')[2]?.split('-')[0] ?? '',
});

export const loadNow = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;

export const digits = (value: number): string =>
  value === 0
    ? '0'
    : Math.abs(value) >= 100
      ? value.toFixed(0)
      : Math.abs(value) >= 10
        ? value.toFixed(1)
        : value.toFixed(2);

const goalText = ({ least, most }: Goal): string =>
  least !== undefined ? `≥ ${least}` : most !== undefined ? `≤ ${most}` : '–';

const verdict = (value: number, goal: Goal | undefined): string =>
  goal ? (meets(value, goal) ? 'met' : '**missed**') : '';

/** The ratios and facts of a row as one table. */
function heldAgainstGoals({ ratios = [], facts = [], figures = [] }: Findings): readonly string[] {
  const lines = [
    ...ratios.map(({ what, values, goal }) => {
      const spread = `${digits(Math.min(...values))} – ${digits(Math.max(...values))}`;
      return [what, `× ${digits(median(values))}`, spread, goal ? goalText(goal) : '', verdict(median(values), goal)];
    }),
    ...facts.map(({ what, value, unit = '', goal }) => [
      what,
      `${digits(value)} ${unit}`.trim(),
      'exact',
      `${goalText(goal)} ${unit}`.trim(),
      verdict(value, goal),
    ]),
    ...figures.map(({ what, value, unit, goal }) => [
      what,
      `${digits(value)} ${unit}`,
      'once',
      goal ? `${goalText(goal)} ${unit}` : '',
      verdict(value, goal),
    ]),
  ];
  return lines.length === 0 ? [] : table(['', 'median', 'spread', 'goal', ''], lines);
}

/** What each variant costs for an operation. */
export const samplesTable = (samples: Samples): readonly string[] =>
  table(
    ['µs per operation', 'Node CPU', 'PostgreSQL CPU', 'CPU', 'wall', 'CPU range'],
    [...samples].map(([name, rounds]) => {
      const of = (cost: keyof Sample) => rounds.map((sample) => sample[cost]);
      const cpu = of('cpuUs');
      return [
        name,
        digits(median(of('nodeUs'))),
        digits(median(of('postgresUs'))),
        digits(median(cpu)),
        digits(median(of('wallUs'))),
        `${digits(quantile(cpu, 0))} – ${digits(quantile(cpu, 1))}`,
      ];
    }),
  );

export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

/** A row for people. */
export const text = ({ name, title, seconds, load, findings }: Reported): string =>
  [
    `## ${name}: ${title}`,
    '',
    ...heldAgainstGoals(findings),
    ...(findings.samples ?? []).flatMap(samplesTable),
    ...(findings.notes ?? []).flatMap((note) => [note, '']),
    `${digits(seconds)} s; load ${load[0]} before, ${load[1]} after.`,
    '',
  ].join('\n');

export const missed = ({ findings: { ratios = [], facts = [], figures = [] } }: Reported) => ({
  goals: [
    ...ratios.filter(({ values, goal }) => goal && !meets(median(values), goal)),
    ...figures.filter(({ value, goal }) => goal && !meets(value, goal)),
  ].map(({ what }) => what),
  facts: facts.filter(({ value, goal }) => !meets(value, goal)).map(({ what }) => what),
});
