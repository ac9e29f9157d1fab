import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const FOLDER = new URL('../../deploy/observability/', import.meta.url);

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

export interface Panel {
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string; readonly refId: string }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

export const ALERTS_FILE = new URL('alerts.yml', FOLDER);

export const alertRules = (): readonly AlertRule[] => {
  const { groups } = parse(readFileSync(ALERTS_FILE, 'utf8')) as { groups: { rules: readonly AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
};

export const dashboards = (): readonly (Dashboard & { readonly file: string })[] =>
  readdirSync(new URL('grafana/', FOLDER)).map((file) => ({
    file,
    ...(JSON.parse(readFileSync(new URL(`grafana/${file}`, FOLDER), 'utf8')) as Dashboard),
  }));

/** Every expression for Prometheus in our files, by file. */
export const observabilityFiles = (): readonly { readonly file: string; readonly expressions: readonly string[] }[] => [
  { file: 'alerts.yml', expressions: alertRules().map(({ expr }) => expr) },
  ...dashboards().map(({ file, panels }) => ({
    file,
    expressions: panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  })),
];

/** The metric names in an expression: all words except labels, strings, durations, functions and operators. */
export const metricsOf = (expression: string): readonly string[] =>
  [
    ...expression
      .replaceAll(/\{[^}]*\}/g, ' ')
      .replaceAll(/\[[^\]]*\]/g, ' ')
      .replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
      .matchAll(/[a-zA-Z_]\w*(?!\w*\s*\()/g),
  ]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'unless'].includes(name));
