import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { ensureTemporal } from '../../worker/ensure-temporal.ts';
import { clientOptions } from '../../adapters/temporal/connection.ts';
import { newId } from '../../db/ids.ts';
import { startTemporal, type Temporal } from '../../dev/temporal.ts';
import { attributes, lifecycleStart } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { capturedLog } from '../captured-log.ts';

describe('What Temporal must have', () => {
  const connect = (address: string): Connection =>
    Connection.lazy(clientOptions({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'cotizador', TEMPORAL_TLS: false }));

  describe('on a server of our own', () => {
    let dataDir: string;
    let temporal: Temporal;
    let connection: Connection;

    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'quoting-ensure-'));
      temporal = await startTemporal({ dataDir, headless: true });
      connection = connect(temporal.address);
    });
    after(async () => {
      await connection.close();
      await temporal.stop();
      await rm(dataDir, { recursive: true, force: true });
    });

    const startRun = () => {
      const quote = { tenantId: newId(), quoteId: newId(), tenantSlug: 't-0', quoteNumber: 1, status: 'SENT' } as const;
      return new TemporalClient({ connection, namespace: 'cotizador' }).workflow.start('quoteLifecycle', {
        ...lifecycleStart(quote, null),
      });
    };

    it('is made where it is missing, another namespace than the default too, and again after the store was lost', async () => {
      const { lines, log } = capturedLog();
      const deps = { connection, namespace: 'cotizador', log };

      const first = await ensureTemporal(deps);
      const second = await ensureTemporal(deps);
      temporal.process.kill();
      await temporal.process.exited;
      await rm(join(dataDir, 'temporal'), { recursive: true });
      const port = Number(temporal.address.split(':')[1]);
      temporal = await startTemporal({ dataDir, port, headless: true });
      const afterLoss = await eventually(() => ensureTemporal(deps));

      assert.deepEqual([first, second, afterLoss], [{ isNew: true }, { isNew: false }, { isNew: true }]);
      assert.equal(lines.filter((line) => line.includes('the namespace was missing')).length, 2);
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'cotizador' });
      for (const { name } of Object.values(attributes)) assert.ok(name in customAttributes, name);
      await eventually(startRun);
    });

    it('finds a store new that lacks the schedules only, as after a loss when the server registers the rest at its start', async () => {
      const deps = { connection, namespace: 'default', log: capturedLog().log };
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
      for (const { name } of Object.values(attributes)) assert.ok(name in customAttributes, name);

      assert.deepEqual([await ensureTemporal(deps), await ensureTemporal(deps)], [{ isNew: true }, { isNew: false }]);
    });

    it('says that something was missing also when the look that made it failed afterwards', async () => {
      const { log } = capturedLog();
      const own = connect(temporal.address);
      const namespace = `sin-plazo-${newId()}`;
      // The schedules, which come last, cannot be written.
      const encode = () => Promise.reject(new Error('cut off'));
      const dataConverter = { payloadCodecs: [{ encode, decode: async (payloads: Payload[]) => payloads }] };
      try {
        await assert.rejects(ensureTemporal({ connection: own, namespace, log, dataConverter }), /cut off/);
        const after = await eventually(() => ensureTemporal({ connection: own, namespace, log }));
        const then = await ensureTemporal({ connection: own, namespace, log });
        assert.deepEqual([after, then], [{ isNew: true }, { isNew: false }]);
      } finally {
        await own.close();
      }
    });

    it('keeps closed runs for 30 days in the namespace that was made', async () => {
      await ensureTemporal({ connection, namespace: 'cotizador', log: capturedLog().log });

      const { config } = await connection.workflowService.describeNamespace({ namespace: 'cotizador' });

      assert.equal(Number(config?.workflowExecutionRetentionTtl?.seconds), 30 * 24 * 60 * 60);
    });
  });

  /** A server that answers each method with a gRPC status of its own, as one does that keeps things to its administrators. */
  describe('on a server that leaves it to its administrators', () => {
    const OK = 0;
    const NOT_FOUND = 5;
    const PERMISSION_DENIED = 7;
    let server: Http2Server;
    let answers: Record<string, number>;
    let connection: Connection;

    before(async () => {
      server = createServer().on('stream', (stream, headers) => {
        const method = String(headers[':path']).split('/').at(-1) ?? '';
        const status = answers[method] ?? OK;
        const head = { ':status': 200, 'content-type': 'application/grpc' };
        if (status !== OK) return stream.respond({ ...head, 'grpc-status': status }, { endStream: true });
        stream.respond(head, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': OK }));
        // An empty message.
        stream.end(Buffer.alloc(5));
      });
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      // The port is known once the server listens.
      connection = connect(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
    after(async () => {
      await connection.close();
      server.close();
    });

    it('goes on without a namespace that may not be made, and tells of it once', async () => {
      answers = { DescribeNamespace: NOT_FOUND, RegisterNamespace: PERMISSION_DENIED };
      const { lines, log } = capturedLog();

      const results = [];
      for (let time = 1; time <= 2; time += 1)
        results.push(await ensureTemporal({ connection, namespace: 'ajeno', log }));

      assert.deepEqual(results, [{ isNew: false }, { isNew: false }]);
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', /Temporal has no namespace ajeno and does not let us make it/);
    });

    it('goes on without attributes that may not be registered, and names them with their types', async () => {
      answers = { AddSearchAttributes: PERMISSION_DENIED, DescribeSchedule: PERMISSION_DENIED };
      const { lines, log } = capturedLog();

      const result = await ensureTemporal({ connection, namespace: 'cotizador', log });

      assert.deepEqual(result, { isNew: false });
      assert.match(lines[0] ?? '', /see there that these exist: TenantId \(KEYWORD\), .*DueAt \(DATETIME\)/);
    });

    it('goes on where it may not even look', async () => {
      answers = {
        DescribeNamespace: PERMISSION_DENIED,
        ListSearchAttributes: PERMISSION_DENIED,
        DescribeSchedule: PERMISSION_DENIED,
      };

      const result = await ensureTemporal({ connection, namespace: 'otro', log: capturedLog().log });

      assert.deepEqual(result, { isNew: false });
    });
  });
});
