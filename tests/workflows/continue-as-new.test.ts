import assert from 'node:assert/strict';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { registerSearchAttributes } from '../../adapters/temporal/search-attributes.ts';
import { ensureTool } from '../../dev/tools.ts';
import { attributes, queries } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { LifecycleWorld } from './lifecycle-world.ts';
import './quiet.ts';

describe('quoteLifecycle with a long history', () => {
  let env: TestWorkflowEnvironment;
  let world: LifecycleWorld;
  let stopWorking: () => Promise<void>;

  before(async () => {
    const path = await ensureTool('temporal');
    // The SDK gives the server five seconds to start, which a busy machine may exceed.
    env = await eventually(() =>
      TestWorkflowEnvironment.createLocal({
        server: {
          executable: { type: 'existing-path', path },
          // By default the server suggests it after 4096 events.
          extraArgs: ['--log-level', 'error', '--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=12'],
        },
      }),
    );
    await registerSearchAttributes(env.connection, 'default', Object.values(attributes));
    world = new LifecycleWorld(env);
    stopWorking = await world.work();
  });
  after(async () => {
    await stopWorking();
    await env.teardown();
  });

  const reads = (calls: readonly string[]) => calls.filter((name) => name === 'readLifecycleState').length;

  it('continues as a new execution that knows the processed events and still shares', async () => {
    const quote = world.quote();
    const handle = await world.tell(quote, 'e1');
    const { runId } = await handle.describe();
    const { workflowId } = handle;
    const latest = env.client.workflow.getHandle(workflowId);
    let sent = 1;
    await eventually(async () => {
      await world.tell(quote, `e${(sent += 1)}`);
      assert.notEqual((await latest.describe()).runId, runId);
    });
    // The last signals may still cause a read.
    await eventually(async () => {
      const { raw } = await latest.describe();
      assert.deepEqual([raw.pendingWorkflowTask ?? null, raw.pendingActivities ?? []], [null, []]);
    });
    const before = reads(quote.calls);

    await world.tell(quote, 'e1', 'e2', 'e3');
    await latest.query(queries.currentState);

    assert.equal(reads(quote.calls), before);
    assert.deepEqual(await world.share(quote), { outcome: 'sent' });
  });
});
