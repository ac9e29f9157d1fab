import { randomInt } from 'node:crypto';
import net from 'node:net';

/** Ports on the loopback address. */

/** Whether a port can be listened on. A port reserved by the system (EACCES) counts as taken. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = await listen(port, host);
  if (!server) return false;
  await close(server);
  return true;
}

// Below the range of ephemeral ports, so that no outgoing connection takes one between this test and the start of its
// server. DRAWN_PORTS separates programs that run in parallel.
const [FIRST_PORT = 20_000, LAST_PORT = 32_000] = (process.env['DRAWN_PORTS'] ?? '')
  .split('-')
  .flatMap((text) => Number(text) || []);

/** Ports drawn by this process: their servers may not listen yet. */
const drawn = new Set<number>();

/** Excludes ports that were chosen elsewhere and whose servers listen later. */
export function reservePorts(...ports: readonly number[]): void {
  for (const port of ports) drawn.add(port);
}

/** `count` different free ports, drawn at random so that stacks that start at the same time rarely collide. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const held: net.Server[] = [];
  const ports: number[] = [];
  try {
    for (let tries = 0; ports.length < count; tries++) {
      if (tries > count + 500) throw new Error(`no ${count} free ports between ${FIRST_PORT} and ${LAST_PORT}`);
      const port = randomInt(FIRST_PORT, LAST_PORT);
      if (drawn.has(port)) continue;
      // Marked before the check, or a parallel call could draw it too.
      drawn.add(port);
      const server = await listen(port, host);
      if (!server) continue;
      held.push(server);
      ports.push(port);
    }
    return ports;
  } finally {
    await Promise.all(held.map(close));
  }
}

export async function freePort(host = '127.0.0.1'): Promise<number> {
  const [port] = await freePorts(1, host);
  if (port === undefined) throw new Error('unreachable: one port was asked for');
  return port;
}

/** The preferred port of a helper, or the next free one above it. `onBusy` is called for each taken one. */
export async function preferredPort(
  preferred: number,
  onBusy: (taken: number, instead: number) => void = () => undefined,
): Promise<number> {
  for (let port = preferred; port < preferred + 100 && port <= 65_535; port++) {
    if (await isPortFree(port)) {
      if (port !== preferred) onBusy(preferred, port);
      return port;
    }
  }
  throw new Error(`no free port between ${preferred} and ${preferred + 99}`);
}

/**
 * Between the check of a port and the start of its server, another program may take it: then `start` is retried on
 * other ports.
 */
export async function onFreePort<T>(start: () => Promise<T>, triesLeft = 2): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (triesLeft === 0 || !isPortTakenError(error)) throw error;
    return onFreePort(start, triesLeft - 1);
  }
}

/**
 * How PostgreSQL, Temporal, Node and the storage report a taken port; the storage may also meet another installation's
 * server there.
 */
const PORT_WAS_TAKEN = /already in use|EADDRINUSE|Port allocation failed|does not exist in our records/;

export const isPortTakenError = (error: unknown): boolean =>
  error instanceof Error && PORT_WAS_TAKEN.test(error.message);

function listen(port: number, host: string): Promise<net.Server | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const close = (server: net.Server) => new Promise<void>((resolve) => server.close(() => resolve()));
