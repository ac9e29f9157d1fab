import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy to a server whose connections can be made slow, or cut. */
export interface Line extends AsyncDisposable {
  readonly port: number;
  /** The delay of each chunk in either direction, in milliseconds. */
  setLatency(ms: number): void;
  /** This share of chunks ends its connection halfway; from 0 to 1. */
  setCuts(share: number): void;
  /** Ends every connection now. */
  cut(): void;
}

export async function startLine(targetPort: number): Promise<Line> {
  let latency = 0;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      // Sequentially, or a delay would reorder them.
      let last: Promise<unknown> = Promise.resolve();
      from.on('data', (chunk: Buffer) => {
        const wait = latency;
        const arrives = sleep(wait);
        last = Promise.all([last, arrives]).then(() => {
          if (Math.random() < cuts) {
            to.write(chunk.subarray(0, Math.floor(chunk.length / 2)));
            from.destroy();
            return to.destroy();
          }
          return to.write(chunk);
        });
      });
      from.on('end', () => void last.then(() => to.end()));
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // The port is known once the server listens.
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    setLatency(ms) {
      latency = ms;
    },
    setCuts(share) {
      cuts = share;
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
