import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A plain load balancer: polls each process's readiness several times a second and forwards only to ready ones. It
 * retries nothing, so that failed requests are visible.
 */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  setTargets(ports: readonly number[]): void;
  /** Requests forwarded to each port. */
  served(): ReadonlyMap<number, number>;
}

const EVERY_MS = 200;
/**
 * As long as other load balancers wait: readiness may take a second and a half, and tolerates the failure of some
 * servers.
 */
const ANSWER_MS = 4_000;

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let targets = ports;
  const ready = new Set(ports);
  const asked = new Set<number>();
  let turn = 0;
  const served = new Map<number, number>();
  async function ask(port: number): Promise<void> {
    // One check at a time, or a late response could overwrite a newer one.
    if (asked.has(port)) return;
    asked.add(port);
    if (await isReady(port)) ready.add(port);
    else ready.delete(port);
    asked.delete(port);
  }
  const look = setInterval(() => targets.forEach((port) => void ask(port)), EVERY_MS);
  const server = createServer((req, res) => {
    const open = targets.filter((one) => ready.has(one));
    const port = open[(turn += 1) % open.length];
    if (port === undefined) {
      res.writeHead(502).end();
      return;
    }
    served.set(port, (served.get(port) ?? 0) + 1);
    forward(port, req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // The port is known once the server listens.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setTargets(next) {
      targets = next;
    },
    served: () => served,
    async [Symbol.asyncDispose]() {
      clearInterval(look);
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) })).ok;
  } catch {
    return false;
  }
};

function forward(port: number, req: IncomingMessage, res: ServerResponse): void {
  const { method, url, headers } = req;
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  onward.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()));
  req.pipe(onward);
}
