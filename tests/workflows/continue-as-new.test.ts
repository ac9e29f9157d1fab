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
    // The SDK gives the server five seconds to come up, which a busy machine may take.
    env = await eventually(() =>
      TestWorkflowEnvironment.createLocal({
        server: {
          executable: { type: 'existing-path', path },
          // The server suggests it after 4096 events otherwise.
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

  it('continues as new, still knows the seen events, and still shares', async () => {
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
    await eventually(async () => assert.notEqual(await latest.query(queries.currentState), undefined));
    const before = reads(quote.calls);

    await world.tell(quote, 'e1', 'e2', 'e3');
    await latest.query(queries.currentState);

    assert.equal(reads(quote.calls), before);
    assert.deepEqual(await world.share(quote), { outcome: 'sent' });
  });
});
