import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { ensureTool } from '../../dev/tools.ts';
import { attributes } from '../../workflows/contract.ts';
import { startWorkers } from './workers.ts';

/** The time-skipping server, with the service's search attributes. */
export async function skippingEnvironment(): Promise<TestWorkflowEnvironment> {
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: await ensureTool('temporal-test-server') } },
  });
  // This server cannot list its attributes, so there is nothing to compare with.
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(
      Object.values(attributes).map(({ name, type }) => [name, encodeSearchAttributeIndexedValueType(type) ?? 0]),
    ),
  });
  return env;
}

/** That server with workers of all task queues, each with all the activities. In today's workflow code unless given. */
export async function skippingWorld(activities: object, changed?: WorkflowBundleOption) {
  const env = await skippingEnvironment();
  const stopWorkers = await startWorkers({
    connection: env.nativeConnection,
    activities,
    ...(changed && { workflowBundle: changed }),
  });
  return {
    env,
    async stop() {
      await stopWorkers();
      await env.teardown();
    },
  };
}
export type SkippingWorld = Awaited<ReturnType<typeof skippingWorld>>;
