import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';
import { SIGN_EVERY_MS, signsOfLife } from '../../activities/signs-of-life.ts';
import { workflowBundlePath } from '../../activities/workflow-bundle.ts';
import { ensureTool } from '../../dev/tools.ts';
import { attributes } from '../../workflows/contract.ts';

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

/** As the service's own workers: a step that runs longer than its heartbeat timeout is not started twice. */
const LIVING = {
  interceptors: { activity: [signsOfLife] },
  maxHeartbeatThrottleInterval: SIGN_EVERY_MS,
} satisfies Partial<WorkerOptions>;

/** That server with workers of these task queues; each has all activities. Uses the current code by default. */
export async function skippingWorld(activities: object, taskQueues: readonly string[], changed?: WorkflowBundleOption) {
  const env = await skippingEnvironment();
  const connection = env.nativeConnection;
  const workflowBundle = changed ?? { codePath: await workflowBundlePath() };
  const workers = await Promise.all(
    taskQueues.map((taskQueue) => Worker.create({ connection, taskQueue, workflowBundle, activities, ...LIVING })),
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    env,
    async stop() {
      for (const worker of workers) worker.shutdown();
      await running;
      await env.teardown();
    },
  };
}
export type SkippingWorld = Awaited<ReturnType<typeof skippingWorld>>;
