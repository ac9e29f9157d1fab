import { setTimeout as sleep } from 'node:timers/promises';
import colors from 'picocolors';
import { Problem } from './problem.ts';

export interface DemoCall {
  readonly about: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  /** With it the call is repeated while the service is not available, as docs/guides/idempotency.md says. */
  readonly idempotencyKey?: string;
}

/** A machine that has just restarted everything needs some seconds. */
const REPETITIONS = 6;

/** Makes a call and prints it as a curl command first. Prints the response shortened, returns it complete. */
export async function call<T>(
  { origin, apiKey }: { origin: string; apiKey: string },
  { about, method, path, body, idempotencyKey }: DemoCall,
): Promise<T> {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    ...(body && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
  };
  console.log(`\n${colors.bold(about)}\n${colors.dim(asCurl({ url: origin + path, method, headers, body }))}`);
  const send = async () => {
    const answer = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    console.log(`${(answer.ok ? colors.green : colors.yellow)(String(answer.status))} ${shortened(text)}`);
    return { answer, text };
  };
  let { answer, text } = await send();
  for (let left = idempotencyKey ? REPETITIONS : 0; answer.status === 503 && left > 0; left -= 1) {
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    console.log(colors.dim(`se repite con la misma clave en ${seconds} s`));
    await sleep(seconds * 1_000);
    ({ answer, text } = await send());
  }
  if (!answer.ok) throw new Problem(`${method} ${path} contestó ${answer.status}: ${text}`);
  // The members that the caller reads are those of the OpenAPI document.
  return JSON.parse(text) as T;
}

interface Shown {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | undefined;
}

/** One command for a POSIX shell. */
export function asCurl({ url, method, headers, body }: Shown): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl -sS -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

const MAX_PRINTED = 300;
const shortened = (text: string): string => (text.length > MAX_PRINTED ? `${text.slice(0, MAX_PRINTED)}…` : text);
