import { SUBSCRIBABLE_EVENTS } from '../../../domain/event-types.ts';
import type { Call } from '../../api/receiver.ts';
import type { Exchange } from './recorder.ts';
import type { Place } from './stable.ts';

/** The examples of one operation, as they are committed. */
interface OperationExamples {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly request?: unknown;
  /** Of successes, by status. */
  readonly responses: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, readonly unknown[]>>;
}

export interface Examples {
  readonly operations: Readonly<Record<string, OperationExamples>>;
  /** Bodies of webhook calls by event. */
  readonly events: Readonly<Record<string, unknown>>;
}

const EVENTS = new Set<string>([...SUBSCRIBABLE_EVENTS, 'webhook.test']);

type Stable = (value: unknown, place: Place) => unknown;

/** The first success of each operation and status, of a list the first that has a record; and every refusal. */
export function examplesOf(exchanges: readonly Exchange[], calls: readonly Call[], stable: Stable): Examples {
  const operations: Record<string, Draft> = {};
  for (const exchange of exchanges) {
    const { route, status } = exchange;
    const place = (part: string): Place => ({ name: `${route} ${status} ${part}`, exchange });
    const params = stable(exchange.params, place('params'));
    const query = stable(exchange.query, place('query'));
    const request = stable(exchange.request, place('request'));
    const response = stable(exchange.response, place('response'));
    if (!exchange.isExample) continue;
    const own = (operations[route] ??= { responses: {}, errors: {} });
    if (status >= 400) (own.errors[status] ??= []).push(response);
    else if (!(status in own.responses) || (isEmptyList(own.responses[status]) && !isEmptyList(response))) {
      const replaces = status in own.responses;
      own.responses[status] = response ?? null;
      if (isFilled(params)) own.params ??= params;
      if (replaces) delete own.query;
      if (isFilled(query)) own.query ??= query;
      if (request !== undefined) own.request ??= request;
    }
  }
  const events: Record<string, unknown> = {};
  const last = exchanges.at(-1);
  // Several endpoints and attempts make the order of arrival differ between runs.
  const inOrder = calls.toSorted((one, other) => timeOf(one).localeCompare(timeOf(other)));
  for (const { headers, body } of inOrder) {
    const type = String(headers['x-service-event']);
    if (type in events || !last || !EVENTS.has(type)) continue;
    events[type] = stable(JSON.parse(body), { name: `event ${type}`, exchange: last });
  }
  return { operations, events };
}

/** When the event happened, ISO 8601. */
const timeOf = ({ body }: Call): string => /"timestamp":"([^"]+)"/.exec(body)?.[1] ?? '';

interface Draft {
  params?: unknown;
  query?: unknown;
  request?: unknown;
  readonly responses: Record<string, unknown>;
  readonly errors: Record<string, unknown[]>;
}

const isEmptyList = (body: unknown): boolean => {
  const list = Array.isArray(body)
    ? body
    : typeof body === 'object' && body !== null && 'data' in body
      ? body.data
      : body;
  return Array.isArray(list) && list.length === 0;
};

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;
