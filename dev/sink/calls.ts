import type { IncomingHttpHeaders } from 'node:http';
import { signatureHeaders } from '../../adapters/outbound-http/signing.ts';

/** Whether a call is what the webhook with the told secret would send; `unknown` while no secret was told. */
export type Verdict = 'valid' | 'invalid' | 'unsigned' | 'unknown';

export interface Call {
  readonly at: string;
  readonly method: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What it was answered with. */
  readonly status: number;
}

/** The newest calls first, each with what its signatures are worth. */
export interface Sink {
  readonly name: string;
  readonly calls: readonly (Call & { readonly signature: Verdict })[];
}

const MOST_CALLS = 50;
const MOST_SINKS = 50;

/** What came to the sinks of this process. Kept in memory: it is for looking at, and gone with the process. */
export function createCalls() {
  const sinks = new Map<string, { calls: Call[]; secret: string | undefined }>();

  function sink(name: string) {
    const known = sinks.get(name);
    if (known) return known;
    const [oldest] = sinks.keys();
    if (sinks.size >= MOST_SINKS && oldest !== undefined) sinks.delete(oldest);
    const made = { calls: [], secret: undefined };
    sinks.set(name, made);
    return made;
  }

  return {
    names: (): readonly string[] => [...sinks.keys()],
    add(name: string, call: Call): void {
      const { calls } = sink(name);
      calls.unshift(call);
      calls.splice(MOST_CALLS);
    },
    /** From now on, and for what came before, signatures are held against this secret. */
    tellSecret(name: string, secret: string): void {
      sink(name).secret = secret;
    },
    empty(name: string): void {
      sinks.delete(name);
    },
    read(name: string): Sink {
      const { calls = [], secret } = sinks.get(name) ?? {};
      return { name, calls: calls.map((call) => ({ ...call, signature: verdict(call, secret) })) };
    },
  };
}

function verdict({ headers, body }: Call, secret: string | undefined): Verdict {
  const { 'x-service-signature': simple, 'webhook-signature': standard = '' } = headers;
  if (simple === undefined) return 'unsigned';
  if (secret === undefined) return 'unknown';
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  if (Number.isNaN(at.getTime())) return 'invalid';
  const expected = signatureHeaders({ secrets: [secret], eventId: headers['webhook-id'] ?? '', at, body });
  // After a rotation the simple signature is of the new secret, the other one of both.
  return standard.split(' ').includes(expected['webhook-signature'] ?? '') ? 'valid' : 'invalid';
}

/** The headers as one text each. */
export const plainHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
