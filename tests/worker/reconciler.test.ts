import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { startReconciler } from '../../worker/reconciler.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { clientOptions } from '../../adapters/temporal/connection.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { eventually } from '../eventually.ts';
import { inTime } from '../in-time.ts';
import { closeAfterTests, testStack } from '../stack.ts';

describe('The reconciler, when it is stopped', () => {
  it('does not wait for a Temporal that hangs', async () => {
    const connections: Socket[] = [];
    const silent = createServer((socket) => {
      connections.push(socket);
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    // The port is known once the server listens.
    const { port } = silent.address() as AddressInfo;
    const config = readWorkerConfig((await testStack()).env);
    const { DATABASE_DISPATCHER_URL: databaseUrl } = config;
    const knex = connectAsDispatcher({ url: databaseUrl, pool: 2, applicationName: 'reconciler-test' });
    const connection = Connection.lazy(clientOptions({ ...config, TEMPORAL_ADDRESS: `127.0.0.1:${port}` }));
    closeAfterTests(async () => {
      await connection.close();
      await knex.destroy();
      silent.close();
      for (const socket of connections) socket.destroy();
    });
    const temporal = new TemporalClient({ connection });
    const log = createLog({ level: 'silent', name: 'reconciler' });

    const reconciler = startReconciler({ knex, temporal, connection, namespace: 'default', log, databaseUrl });
    await eventually(() => assert.ok(connections.length > 0, 'it has not asked'));

    await inTime(5_000, reconciler.stop());
  });
});
