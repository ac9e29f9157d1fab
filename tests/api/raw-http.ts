import { Agent, request } from 'node:http';

/** Requests below fetch: headers that it sets or forbids itself, and connections of one's own. */

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  /** The text of the answer, as JSON where it is JSON. */
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- each test asserts the shape it expects
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

/** One request, exactly as it is given. */
export function rawRequest(url: string, { method = 'GET', headers = {}, body, agent }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ...(agent && { agent }) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const isJson = answer.headers['content-type']?.includes('json') ?? false;
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: isJson ? JSON.parse(text) : text });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Runs the work `times` times over that many kept connections, each busy without a pause. Answers in any order. */
export async function overConnections<T>(
  { connections, times }: { connections: number; times: number },
  work: (agent: Agent) => Promise<T>,
): Promise<readonly T[]> {
  const answers: T[] = [];
  let begun = 0;
  const lane = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (begun < times) {
      begun += 1;
      answers.push(await work(agent));
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return answers;
}
