import net from 'node:net';
import { freePort } from '../../dev/ports.ts';

/** Stands between a server under measurement and PostgreSQL and counts what is asked: a figure that no load changes. */
export interface Counter<T> {
  /** The same database, reached through the counter. */
  readonly database: T;
  /** Runs the operation twice, for the first may make connections or prepare statements; counts the second. */
  readonly of: (operation: () => Promise<unknown>) => Promise<number>;
  readonly close: () => void;
}

export async function countStatements<T extends { readonly appUrl: string }>(database: T): Promise<Counter<T>> {
  let statements = 0;
  const { hostname, port: behind } = new URL(database.appUrl);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(behind), hostname);
    const read = messageReader((type) => {
      if (type === 'Q' || type === 'E') statements += 1;
    });
    client.on('data', read);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    database: { ...database, appUrl: database.appUrl.replace(`:${behind}/`, `:${port}/`) },
    async of(operation) {
      await operation();
      const before = statements;
      await operation();
      return statements - before;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Calls back with the type of each message that a PostgreSQL client sends; the first one has none. */
function messageReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      if (started) onMessage(String.fromCodePoint(rest[0] ?? 0));
      started = true;
      rest = rest.subarray(length);
    }
  };
}
