import { Client } from 'undici';

/** Callers over HTTP, each on a connection of its own, one request after the other. */

export interface Request {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface CallersOptions {
  readonly callers: number;
  /** The n-th request of all. */
  readonly request: (n: number) => Request;
  readonly expect?: number;
}

export interface Callers {
  /** Sends that many; returns how long each took, in milliseconds, in no order. */
  readonly send: (count: number) => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
}

export function openCallers(url: string, { callers, request, expect = 200 }: CallersOptions): Callers {
  const clients = Array.from({ length: callers }, () => new Client(url));
  let sent = 0;

  async function call(client: Client): Promise<number> {
    const { method = 'GET', path, headers = {}, body = null } = request(sent++);
    const startedAt = performance.now();
    const answer = await client.request({ method, path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== expect)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`);
    return performance.now() - startedAt;
  }

  return {
    async send(count) {
      const took: number[] = [];
      let left = count;
      await Promise.all(
        clients.map(async (client) => {
          while (left-- > 0) took.push(await call(client));
        }),
      );
      return took;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** The body of one GET, parsed. */
export async function getJson(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
