import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inTime } from '../in-time.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { ownService, type Service } from './service.ts';

needs('temporal', 'storage');

/** A server that accepts connections and never responds. */
async function silent(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    // Open connections would keep this process alive.
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Not app.get(), which requires the API's error body for every 503. */
async function ready(app: Service) {
  const response = await fetch(`${app.url}/readyz`);
  return {
    status: response.status,
    body: (await response.json()) as { status: string; parts: Record<string, string> },
  };
}

describe('GET /readyz within the timeout of health checks', () => {
  let hanging: Awaited<ReturnType<typeof silent>>;
  before(async () => {
    hanging = await silent();
  });
  after(() => hanging.close());

  it('answers 200 degraded while the storage hangs', async () => {
    const app = await ownService({ S3_ENDPOINT: `http://127.0.0.1:${hanging.port}` });

    const { status, body } = await inTime(3_000, ready(app));

    const parts = { database: 'ok', temporal: 'ok', storage: 'down' };
    assert.deepEqual([status, body], [200, { status: 'degraded', parts }]);
  });

  it('answers 200 degraded while Temporal hangs', async () => {
    const app = await ownService({ TEMPORAL_ADDRESS: `127.0.0.1:${hanging.port}` });

    const { status, body } = await inTime(3_000, ready(app));

    const parts = { database: 'ok', temporal: 'down', storage: 'ok' };
    assert.deepEqual([status, body], [200, { status: 'degraded', parts }]);
  });

  it('answers 503 while PostgreSQL hangs', async () => {
    const app = await ownService({ DATABASE_URL: `postgres://x:x@127.0.0.1:${hanging.port}/x` });

    const { status, body } = await inTime(3_000, ready(app));

    assert.deepEqual([status, body.status, body.parts['database']], [503, 'down', 'down']);
  });

  it('answers 200 while all connections of the pool are in use', async () => {
    const app = await ownService({ DATABASE_POOL: '1' });
    const { tenantId } = await build.business();

    const { status, body } = await app.deps.withTenant(tenantId, async (trx) => {
      await trx.raw('select 1');
      return ready(app);
    });

    assert.deepEqual([status, body.parts['database']], [200, 'ok']);
  });
});
