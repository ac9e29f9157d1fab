import colors from 'picocolors';
import { Problem } from './problem.ts';

export interface DemoCall {
  readonly about: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
}

/** Makes a call and prints it as a curl command first. Prints the response shortened, returns it complete. */
export async function call<T>(
  { origin, apiKey }: { origin: string; apiKey: string },
  { about, method, path, body }: DemoCall,
): Promise<T> {
  const headers = { Authorization: `Bearer ${apiKey}`, ...(body && { 'Content-Type': 'application/json' }) };
  console.log(`\n${colors.bold(about)}\n${colors.dim(asCurl({ url: origin + path, method, headers, body }))}`);
  const answer = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  console.log(`${colors.green(String(answer.status))} ${shortened(text)}`);
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
