import colors from 'picocolors';

/** Parses lines of the processes' logs: JSON from API, worker and migrations, text from the servers. */

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogLine {
  /** The source: the name of the file. */
  readonly part: string;
  readonly text: string;
  readonly at: Date;
  /** The parsed JSON; undefined for text. */
  readonly members: Readonly<Record<string, unknown>> | undefined;
}

/** Which lines to show. Lines of text have no level or quote, so any filter excludes them. */
export interface LogFilter {
  readonly level?: LogLevel | undefined;
  /** An id, a number or a label such as COT-12. */
  readonly quote?: string | undefined;
  /** A workflow id or a run id. */
  readonly run?: string | undefined;
}

/** Parses a line; one without a time is dated `otherwise`. */
export function parseLine(part: string, text: string, otherwise: Date): LogLine {
  const members = membersOf(text);
  const time = members ? Date.parse(String(members['time'])) : timeIn(text);
  return { part, text, members, at: Number.isNaN(time) ? otherwise : new Date(time) };
}

export function passes({ members, text }: LogLine, { level, quote, run }: LogFilter): boolean {
  if (level === undefined && quote === undefined && run === undefined) return true;
  if (!members) return false;
  if (level !== undefined && rank(String(members['level'])) < rank(level)) return false;
  if (quote !== undefined && !isAboutQuote(text, quote)) return false;
  return run === undefined || text.includes(JSON.stringify(run));
}

/** Formats a line for people: time, source, message, then names and values; an error goes below. */
export function formatLine({ part, text, members, at }: LogLine): string {
  const name = colors.cyan(part.padEnd(8));
  // Text has its own time, if any.
  if (!members) return `${name} ${text}`;
  const head = `${colors.dim(clock(at))} ${name}`;
  const { level, msg, err } = members;
  const rest = Object.entries(members)
    .filter(([member, value]) => !UNSHOWN.has(member) && value !== null)
    .map(([member, value]) => `${colors.dim(`${member}=`)}${shownValue(value)}`);
  const said = textOf(msg);
  const message = inColor(String(level), level === 'info' ? said : `${String(level)}: ${said}`);
  return [[head, message, ...rest].join(' '), ...errorLines(err)].join('\n');
}

const UNSHOWN = new Set(
  // The last of them come from Temporal's SDK.
  `level time pid hostname name msg err isLocal namespace taskQueue sdkComponent target spanContexts activityId
   workflowType`.split(/\s+/),
);

const rank = (level: string): number => LOG_LEVELS.findIndex((known) => known === level);

function isAboutQuote(text: string, quote: string): boolean {
  const number = /^(?:COT-)?(\d+)$/i.exec(quote)?.[1];
  if (number === undefined) return text.includes(JSON.stringify(quote));
  return new RegExp(`"quoteNumber":${number}[,}]|\\.COT-${number}"`).test(text);
}

function membersOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    // An object or array, as its first character shows.
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The servers write UTC, some with another separator between date and time. */
function timeIn(text: string): number {
  const [, day, time] = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(text.slice(0, 60)) ?? [];
  return Date.parse(`${day}T${time}Z`);
}

const clock = (at: Date): string =>
  `${[at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':')}.${String(at.getMilliseconds()).padStart(3, '0')}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

function shownValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function inColor(level: string, text: string): string {
  if (level === 'warn') return colors.yellow(text);
  return rank(level) >= rank('error') ? colors.red(text) : text;
}

function errorLines(err: unknown): readonly string[] {
  if (typeof err !== 'object' || err === null) return [];
  const { stack, message } = err as { readonly stack?: unknown; readonly message?: unknown };
  return textOf(stack ?? message ?? err)
    .split('\n')
    .map((line) => colors.dim(`    ${line}`));
}
