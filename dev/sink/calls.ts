import type { IncomingHttpHeaders } from 'node:http';
import { signatureHeaders } from '../../adapters/outbound-http/signing.ts';

/** Whether a call is signed with the known secret; `unknown` without one. */
export type Verdict = 'valid' | 'invalid' | 'unsigned' | 'unknown';

export interface Call {
  readonly at: string;
  readonly method: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The response it got. */
  readonly status: number;
}

/** The newest calls first, each with the state of its signatures. */
export interface Sink {
  readonly name: string;
  readonly calls: readonly (Call & { readonly signature: Verdict })[];
}

const MAX_CALLS = 50;
const MAX_SINKS = 50;

/** The calls received by this process's sinks, in memory only. */
export function createCalls() {
  const sinks = new Map<string, { calls: Call[]; secret: string | undefined }>();

  function sink(name: string) {
    const known = sinks.get(name);
    if (known) return known;
    const [oldest] = sinks.keys();
    if (sinks.size >= MAX_SINKS && oldest !== undefined) sinks.delete(oldest);
    const made = { calls: [], secret: undefined };
    sinks.set(name, made);
    return made;
  }

  return {
    names: (): readonly string[] => [...sinks.keys()],
    add(name: string, call: Call): void {
      const { calls } = sink(name);
      calls.unshift(call);
      calls.splice(MAX_CALLS);
    },
    /** From now on signatures are checked with this secret, also those of earlier calls. */
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
  // After a rotation the simple signature uses the new secret, the other one both.
  return standard.split(' ').includes(expected['webhook-signature'] ?? '') ? 'valid' : 'invalid';
}

/** The headers as one text each. */
export const plainHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
