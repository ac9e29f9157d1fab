import assert from 'node:assert/strict';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { ImportActivities } from '../../activities/imports.ts';
import { newId } from '../../db/ids.ts';
import { ensureTool } from '../../dev/tools.ts';
import { importStart } from '../../workflows/contract.ts';
import type { importRecords } from '../../workflows/import-records.ts';
import './quiet.ts';
import { startWorkers } from './workers.ts';

const HOUR_MS = 60 * 60 * 1000;

describe('importRecords', () => {
  let env: TestWorkflowEnvironment;
  let stop: () => Promise<void>;
  const attempts = new Map<string, ImportActivities['importAllRows']>();
  const givenUp = new Set<string>();

  before(async () => {
    const path = await ensureTool('temporal-test-server');
    env = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
    const activities: ImportActivities = {
      importAllRows: async (ref) => attempts.get(ref.importId)?.(ref) ?? { outcome: 'closed' },
      giveUpImport: async ({ importId }) => {
        givenUp.add(importId);
        return { outcome: 'failed' };
      },
    };
    stop = await startWorkers({ connection: env.nativeConnection, activities });
  });
  after(async () => {
    await stop();
    await env.teardown();
  });

  async function run(attempt: ImportActivities['importAllRows']) {
    const ref = { tenantId: newId(), importId: newId() };
    attempts.set(ref.importId, attempt);
    // As the dispatcher starts it, without the search attributes, which this server does not know.
    const { typedSearchAttributes: _unknown, ...options } = importStart(ref, null);
    const result = await env.client.workflow.execute<typeof importRecords>('importRecords', options);
    return { result, isGivenUp: givenUp.has(ref.importId) };
  }

  it('ends as its one activity did', async () => {
    assert.deepEqual(await run(async () => ({ outcome: 'failed' })), {
      result: { outcome: 'failed' },
      isGivenUp: false,
    });
  });

  it('retries while PostgreSQL is away', async () => {
    let calls = 0;

    const { result, isGivenUp } = await run(async () => {
      calls += 1;
      if (calls < 5) throw new Error('PostgreSQL is not available');
      return { outcome: 'completed' };
    });

    assert.deepEqual([result, isGivenUp, calls], [{ outcome: 'completed' }, false, 5]);
  });

  it('gives up after an hour of failures, and the row says so', async () => {
    const times: number[] = [];

    const { result, isGivenUp } = await run(async () => {
      times.push(await env.currentTimeMs());
      throw new Error('PostgreSQL is not available');
    });

    assert.deepEqual([result, isGivenUp], [{ outcome: 'failed' }, true]);
    const lengthMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
    assert.ok(lengthMs > 0.9 * HOUR_MS && lengthMs <= HOUR_MS, `${lengthMs} ms`);
  });
});
