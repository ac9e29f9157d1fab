import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { violationOf } from '../../ops/history.ts';
import type { ReminderActivities } from '../../activities/reminders.ts';
import { workflowBundlePath } from '../../worker/workflow-bundle.ts';
import { newId } from '../../db/ids.ts';
import { queries, remindStart } from '../../workflows/contract.ts';
import { watchedQuote } from '../worker/dispatcher-world.ts';
import * as build from '../api/build.ts';
import { eventually } from '../eventually.ts';
import { entryArguments } from '../own-process.ts';
import { needs, testStack, testWorker } from '../stack.ts';
import '../workflows/quiet.ts';
import { bundleChanged } from '../workflows/variant.ts';

needs('temporal', 'storage', 'inbox');

/** The commands as typed, against executions in the tests' Temporal; in the journeys because of its worker process. */
describe('npm run replay and history save', () => {
  let address: string;
  let namespace: string;
  let connection: Connection;
  let temporal: TemporalClient;
  /** A stand-in for the checkout, which stays unchanged. */
  let folder: string;

  before(async () => {
    ({ address, namespace } = (await testStack()).temporal);
    connection = Connection.lazy({ address });
    temporal = new TemporalClient({ connection, namespace });
    folder = await mkdtemp(join(tmpdir(), 'quoting-histories-'));
    await mkdir(join(folder, 'tests/histories'), { recursive: true });
    await mkdir(join(folder, '.data'));
    await testWorker();
  });
  after(async () => {
    await connection.close();
    await rm(folder, { recursive: true, force: true });
  });

  const inNamespace = () => ({ TEMPORAL_NAMESPACE: namespace });

  /** Runs a command in that folder. */
  const run = (
    args: readonly string[],
    env: Record<string, string> = { TEMPORAL_ADDRESS: address, ...inNamespace() },
  ) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const node = [...entryArguments('ops/cli.ts'), ...args];
      execFile(process.execPath, node, { cwd: folder, env: { PATH: process.env['PATH'], ...env } }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });

  /** A lifecycle that has read its quote and waits. */
  async function openRun(): Promise<string> {
    const { workflowId } = await watchedQuote(await build.business());
    const handle = temporal.workflow.getHandle(workflowId);
    await eventually(async () => assert.notEqual(await handle.query(queries.currentState), undefined));
    return workflowId;
  }

  /** A reminder whose code fired before it read, as a former version might. */
  async function runOfAnotherVersion(): Promise<string> {
    const dueAt = new Date().toISOString();
    const activities: ReminderActivities = {
      readReminder: async () => ({ quoteNumber: 12, dueAt }),
      fireReminder: async () => 'fired',
    };
    const workflowBundle = await bundleChanged('workflows/remind.ts', (source) =>
      source.replace('const waiting =', 'await reminderActivities.fireReminder(reminder);\n  const waiting ='),
    );
    const native = await NativeConnection.connect({ address });
    const taskQueue = `another-version-${newId()}`;
    const worker = await Worker.create({ connection: native, namespace, taskQueue, workflowBundle, activities });
    const ids = { tenantId: newId(), reminderId: newId(), quoteId: newId(), automationId: newId() };
    const options = { ...remindStart({ ...ids, quoteNumber: 12, dueAt }), taskQueue };
    await worker.runUntil(temporal.workflow.execute('remind', options));
    await native.close();
    return options.workflowId;
  }

  it('prints OK with the number of events for an execution that replays with the current code', async () => {
    const workflowId = await openRun();

    const { code, out } = await run(['replay', workflowId]);

    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
    assert.deepEqual([code, out], [0, `OK ${workflowId}: ${events?.length} eventos\n`]);
  });

  it('prints the event at which the current code diverges, and exits with 1', async () => {
    const workflowId = await runOfAnotherVersion();

    const { code, out, err } = await run(['replay', workflowId]);

    assert.deepEqual([code, out], [1, '']);
    const { events = [] } = await temporal.workflow.getHandle(workflowId).fetchHistory();
    const first = (events ?? []).find((event) => event.activityTaskScheduledEventAttributes);
    const where = `${workflowId}: el código de hoy no coincide en el evento ${Number(first?.eventId)} de ${events?.length}\n`;
    assert.equal(err.slice(0, where.length), where);
    assert.match(err.slice(where.length), /^\[TMPRL1100\] Nondeterminism error: .*'fireReminder'.*'readReminder'\n$/);
  });

  it('exits with 2 and a message when there is no such execution', async () => {
    const workflowId = await openRun();
    const runId = '019c9999-0000-7000-8000-000000000000';

    const [unknown, other, malformed] = await Promise.all([
      run(['replay', 'quote.nadie.COT-1']),
      run(['replay', workflowId, runId]),
      run(['replay', workflowId, 'eso']),
    ]);

    assert.deepEqual([unknown.code, other.code, malformed.code], [2, 2, 2]);
    assert.equal(unknown.err, `Temporal (${address}) no tiene una ejecución quote.nadie.COT-1.\n`);
    assert.equal(other.err, `Temporal (${address}) no tiene una ejecución ${workflowId} con el run id ${runId}.\n`);
  });

  it('exits with 1 and a message when Temporal is unreachable', async () => {
    const { code, err } = await run(['replay', 'x'], { TEMPORAL_ADDRESS: '127.0.0.1:1' });

    assert.deepEqual([code, err], [1, 'Temporal (127.0.0.1:1) no contesta.\n']);
  });

  it('uses the Temporal of the running stack when the environment names none', async () => {
    const workflowId = await openRun();
    await writeFile(join(folder, '.data/stack.json'), JSON.stringify({ temporalAddress: address }));
    try {
      assert.match((await run(['replay', workflowId], inNamespace())).out, /^OK /);
    } finally {
      await rm(join(folder, '.data/stack.json'));
    }
    const { code, err } = await run(['replay', workflowId], {});
    assert.equal(code, 1);
    assert.match(err, /TEMPORAL_ADDRESS: is not set/);
  });

  it('saves a history once, under its workflow and the given name, in the format that the tests replay', async () => {
    const workflowId = await openRun();
    const file = 'tests/histories/quote-lifecycle.just-made.json';

    const saved = await run(['history', 'save', workflowId, 'just-made']);
    const again = await run(['history', 'save', workflowId, 'just-made']);

    assert.match(saved.out, new RegExp(`^${file}: \\d+ eventos, \\d+ KiB, sin datos personales\n$`));
    assert.deepEqual([again.code, again.err], [1, `${file} ya existe; elija otro nombre.\n`]);
    const history = historyFromJSON(JSON.parse(await readFile(join(folder, file), 'utf8')));
    assert.equal(history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId, workflowId);
    assert.equal(await violationOf(history, workflowId, { codePath: await workflowBundlePath() }), undefined);
  });

  it('refuses to save a history with personal data', async () => {
    const workflowId = `quote.${newId()}.COT-1`;
    const handle = await temporal.workflow.start('quoteLifecycle', {
      workflowId,
      taskQueue: `nobody-${newId()}`,
      args: [{ quote: { tenantId: newId(), quoteId: 'laura@palma.example' } }],
    });
    try {
      const { code, err } = await run(['history', 'save', workflowId, 'personal']);

      assert.equal(code, 1);
      assert.equal(err, 'No se guardó: la historia lleva datos personales.\nevento 1: una dirección de correo\n');
      assert.ok(!(await readdir(join(folder, 'tests/histories'))).includes('quote-lifecycle.personal.json'));
    } finally {
      await handle.terminate('the test is over');
    }
  });
});
