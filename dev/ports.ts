import { randomInt } from 'node:crypto';
import net from 'node:net';

/** Ports on the loopback address. */

/** Whether a port can be listened on. A port that the system keeps for itself (EACCES) counts as taken. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = await listen(port, host);
  if (!server) return false;
  await close(server);
  return true;
}

// Below the range from which systems take the ports of outgoing connections, so that none is lost
// between the test here and the moment its server starts. DRAWN_PORTS keeps programs apart that run side by side.
const [FIRST_PORT = 20_000, LAST_PORT = 32_000] = (process.env['DRAWN_PORTS'] ?? '')
  .split('-')
  .flatMap((text) => Number(text) || []);

/** Drawn here before: their servers may not listen yet. */
const drawn = new Set<number>();

/** Keeps ports that were chosen elsewhere, and whose servers listen later, from being drawn here. */
export function reservePorts(...ports: readonly number[]): void {
  for (const port of ports) drawn.add(port);
}

/** `count` different free ports, drawn at random so that stacks that start at the same time rarely meet. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const held: net.Server[] = [];
  const ports: number[] = [];
  try {
    for (let tries = 0; ports.length < count; tries++) {
      if (tries > count + 500) throw new Error(`no ${count} free ports between ${FIRST_PORT} and ${LAST_PORT}`);
      const port = randomInt(FIRST_PORT, LAST_PORT);
      if (drawn.has(port)) continue;
      // Before the look at it, or a call beside this one could draw it too.
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

/** The preferred port of a helper, or the next free one above it. `onBusy` hears of the step. */
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

/** Between the look at a port and the server's own, another program may take it: then `start` is tried on other ones. */
export async function onFreePort<T>(start: () => Promise<T>, triesLeft = 2): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (triesLeft === 0 || !saysThatPortWasTaken(error)) throw error;
    return onFreePort(start, triesLeft - 1);
  }
}

/** What PostgreSQL, Temporal and Node say of it, and the storage, which may also meet another installation's at our port. */
const PORT_WAS_TAKEN = /already in use|EADDRINUSE|Port allocation failed|does not exist in our records/;

export const saysThatPortWasTaken = (error: unknown): boolean =>
  error instanceof Error && PORT_WAS_TAKEN.test(error.message);

function listen(port: number, host: string): Promise<net.Server | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const close = (server: net.Server) => new Promise<void>((resolve) => server.close(() => resolve()));
