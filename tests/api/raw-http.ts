import { Agent, request } from 'node:http';

/** Low-level requests: headers that fetch sets or forbids, and explicit connections. */

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  /** The response body, parsed if it is JSON. */
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- each test asserts the shape it expects
}

export interface RawRequest {
  readonly method?: string;
  /** Several values are several lines. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

/** Sends one request without adding headers. */
export function rawRequest(url: string, { method = 'GET', headers = {}, body, agent }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ...(agent && { agent }) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('error', reject);
      response.once('end', () => {
        const isJson = response.headers['content-type']?.includes('json') ?? false;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: isJson ? JSON.parse(text) : text,
        });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Runs the work `times` times over that number of keep-alive connections. Results are in any order. */
export async function overConnections<T>(
  { connections, times }: { connections: number; times: number },
  work: (agent: Agent) => Promise<T>,
): Promise<readonly T[]> {
  const responses: T[] = [];
  let started = 0;
  const worker = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (started < times) {
      started += 1;
      responses.push(await work(agent));
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return responses;
}
