import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { History } from './history.ts';

/** A history as it is kept in `tests/histories/`: Temporal's own JSON, without the machine it was written on. */

/** In place of a process's name, which is `<pid>@<host>`. */
const NOBODY = 'quoting';
const PROCESS = /^\d+@[\w.-]+/;

/** Name of the workflow, as in its file: quoteLifecycle → quote-lifecycle. */
export const kebab = (type: string): string => type.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function historyText(history: History): string {
  const json: unknown = JSON.parse(historyToJSON(history));
  return `${JSON.stringify(json, (key, value: unknown) => withoutMachine(key, value), 2)}\n`;
}

function withoutMachine(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  // A stack names folders of the recording machine, and no replay reads it.
  if (key === 'stackTrace') return '';
  return key === 'identity' ? NOBODY : value.replace(PROCESS, NOBODY);
}

// What the inputs and results of our steps never hold: they are ids, states, moments and our own sentences.
const PERSONAL_KEY =
  /e-?mail|phone|^(contact|company)|signer|^(notes|subject|body|html|url)$|(token|secret|password)$/i;
const PERSONAL_TEXT: Readonly<Record<string, RegExp>> = {
  'una dirección de correo': /[^\s@"<>]+@[^\s@"<>]+\.[a-z]{2,}/i,
  'una dirección web': /https?:\/\//i,
  // Ten digits in a row, or grouped as people write them; moments and ids of processes are not.
  'un teléfono': /(?<![\w.:-])\+?\d{2,3}[ -]?\d{3,4}[ -]?\d{4}(?![\w:-])/,
};

/** What a history says of people, as "event 5: una dirección de correo"; it must be empty before it is committed. */
export function personalData(text: string): readonly string[] {
  const { events } = JSON.parse(text) as { events: readonly { readonly eventId: string }[] }; // as written above
  return events.flatMap((event) => findingsIn(event).map((finding) => `evento ${event.eventId}: ${finding}`));
}

function findingsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return Object.entries(PERSONAL_TEXT).flatMap(([name, pattern]) => (pattern.test(value) ? [name] : []));
  }
  if (typeof value !== 'object' || value === null) return [];
  const payload = payloadOf(value);
  if (payload !== undefined) return [...keysIn(payload), ...findingsIn(payload)];
  return Object.values(value).flatMap(findingsIn);
}

/** The decoded content of a payload; of anything else undefined. */
function payloadOf(value: object): unknown {
  if (!('data' in value) || !('metadata' in value) || typeof value.data !== 'string') return undefined;
  const text = Buffer.from(value.data, 'base64').toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function keysIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(PERSONAL_KEY.test(key) ? [`el miembro ${key}`] : []),
    ...keysIn(member),
  ]);
}
