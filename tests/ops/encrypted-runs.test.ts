import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection } from '@temporalio/worker';
import { downloadHistory, type History, violationOf } from '../../ops/history.ts';
import { createReminderActivities } from '../../activities/reminders.ts';
import { workflowBundlePath } from '../../worker/workflow-bundle.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { namespaceOptions } from '../../adapters/temporal/connection.ts';
import { decodeHistory } from '../../adapters/temporal/decode-history.ts';
import { ensureNamespace } from '../../adapters/temporal/ensure-namespace.ts';
import { createPayloadCodec } from '../../adapters/temporal/payload-codec.ts';
import { registerSearchAttributes } from '../../adapters/temporal/search-attributes.ts';
import { attributes, remindStart } from '../../workflows/contract.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { closeAfterTests, namespaceName, needs, testStack } from '../stack.ts';
import '../workflows/quiet.ts';
import { startWorkers } from '../workflows/workers.ts';

needs('temporal');

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const PLAIN = 'json/plain';

describe('Payloads of runs', () => {
  const keys = key('k1');
  let connection: Connection;
  let native: NativeConnection;
  let business: build.Business;
  let quote: { id: string; quoteNumber: number };

  before(async () => {
    const { TEMPORAL_ADDRESS: address } = readWorkerConfig((await testStack()).env);
    connection = await Connection.connect({ address });
    native = await NativeConnection.connect({ address });
    closeAfterTests(async () => {
      await connection.close();
      await native.close();
    });
    business = await build.business();
    quote = await build.quote(business.owner);
  });

  /** A real run, of client and worker with these keys; with its history as Temporal keeps it. */
  async function run(startKeys: string | undefined, workerKeys = startKeys): Promise<{ id: string; history: History }> {
    const namespace = await namespaceName('codec');
    await ensureNamespace(connection, namespace);
    await registerSearchAttributes(connection, namespace, Object.values(attributes));
    const options = (given: string | undefined) =>
      namespaceOptions({ TEMPORAL_NAMESPACE: namespace, ...(given && { TEMPORAL_PAYLOAD_KEYS: given }) });
    const temporal = new TemporalClient({ connection, ...options(startKeys) });
    const { deps } = await service();
    const stopWorkers = await startWorkers({
      connection: native,
      ...options(workerKeys),
      activities: createReminderActivities(deps),
    });
    const reminder = await build.reminder(business, quote.id, { dueAt: new Date(Date.now() + 1_000) });
    const start = remindStart({
      tenantId: business.tenantId,
      reminderId: reminder.id,
      quoteId: quote.id,
      quoteNumber: quote.quoteNumber,
      automationId: null,
      dueAt: new Date(Date.now() + 1_000).toISOString(),
    });
    const handle = await temporal.workflow.start('remind', { ...start, memo: { requestId: 'pedido-1' } });
    const reader = new TemporalClient({ connection, ...options(workerKeys) });
    try {
      await reader.workflow.getHandle(start.workflowId).result();
    } finally {
      await stopWorkers();
    }
    const history = await downloadHistory(temporal, handle.workflowId);
    assert.ok(history);
    return { id: start.workflowId, history };
  }

  /** Every payload in it but those of search attributes, as its encoding and its text. */
  function payloads(history: History): { encoding: string; text: string }[] {
    const found: { encoding: string; text: string }[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (
        'metadata' in value &&
        typeof value.metadata === 'object' &&
        value.metadata !== null &&
        'encoding' in value.metadata
      ) {
        const data = 'data' in value ? String(value.data) : '';
        found.push({
          encoding: Buffer.from(String(value.metadata.encoding), 'base64').toString(),
          text: Buffer.from(data, 'base64').toString(),
        });
        return;
      }
      for (const [name, member] of Object.entries(value)) if (name !== 'searchAttributes') visit(member);
    };
    visit(JSON.parse(historyToJSON(history)));
    return found;
  }

  it('are ciphertext with TEMPORAL_PAYLOAD_KEYS: input, results, memo and summaries; no id and no text is plain', async () => {
    const { history } = await run(keys);

    const seen = payloads(history);
    assert.deepEqual(new Set(seen.map(({ encoding }) => encoding)), new Set(['binary/encrypted']));
    assert.ok(seen.length >= 8, `${seen.length} payloads`);
    const all = seen.map(({ text }) => text).join('\n');
    for (const word of [business.tenantId, 'reminderId', 'Recordatorio', 'COT-', 'pedido-1', 'outcome'])
      assert.ok(!all.includes(word), word);
  });

  it('are plain without it, as the histories that are kept for tests', async () => {
    const { history } = await run(undefined);

    const seen = payloads(history);
    assert.deepEqual(new Set(seen.map(({ encoding }) => encoding)), new Set([PLAIN]));
    assert.match(seen.map(({ text }) => text).join('\n'), new RegExp(business.tenantId));
  });

  it('replay after they were decrypted, and show then what they are', async () => {
    const { history, id } = await run(keys);

    await decodeHistory(history, createPayloadCodec(keys));

    const all = payloads(history).map(({ text }) => text);
    assert.match(all.join('\n'), /reminderId/);
    assert.equal(await violationOf(history, id, { codePath: await workflowBundlePath() }), undefined);
  });

  it('of a run that was started before are read by a worker that has newer keys, or that has keys at all', async () => {
    const rotated = await run(keys, `${key('k2')},${keys}`);
    const begunPlain = await run(undefined, keys);

    const encodings = ({ history }: { history: History }) => new Set(payloads(history).map(({ encoding }) => encoding));
    assert.deepEqual(encodings(rotated), new Set(['binary/encrypted']));
    assert.deepEqual(encodings(begunPlain), new Set([PLAIN, 'binary/encrypted']));
  });
});
