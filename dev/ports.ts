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
// between the test here and the moment its server starts.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** `count` different free ports, drawn at random so that stacks that start at the same time rarely meet. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const held: net.Server[] = [];
  const ports: number[] = [];
  try {
    for (let tries = 0; ports.length < count; tries++) {
      if (tries > count + 500) throw new Error(`no ${count} free ports between ${FIRST_PORT} and ${LAST_PORT}`);
      const port = randomInt(FIRST_PORT, LAST_PORT);
      const server = ports.includes(port) ? undefined : await listen(port, host);
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

function listen(port: number, host: string): Promise<net.Server | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const close = (server: net.Server) => new Promise<void>((resolve) => server.close(() => resolve()));
