import { Worker, type WorkerOptions } from '@temporalio/worker';
import { HEARTBEAT_INTERVAL_MS, heartbeatInterceptor } from '../../worker/heartbeat-interceptor.ts';
import { workflowBundlePath } from '../../worker/workflow-bundle.ts';
import { queues } from '../../workflows/contract.ts';

/** Starts a worker for each task queue, as the service does, each with all the activities. Returns what stops them. */
export async function startWorkers({
  workflowBundle,
  ...options
}: Omit<WorkerOptions, 'taskQueue'>): Promise<() => Promise<void>> {
  const bundle = workflowBundle ?? { codePath: await workflowBundlePath() };
  const workers = await Promise.all(
    Object.values(queues).map((taskQueue) =>
      Worker.create({
        // As the service's own workers: an activity that takes longer than its heartbeat timeout is not made twice.
        interceptors: { activity: [heartbeatInterceptor] },
        maxHeartbeatThrottleInterval: HEARTBEAT_INTERVAL_MS,
        ...options,
        taskQueue,
        ...(taskQueue === queues.workflows && { workflowBundle: bundle }),
      }),
    ),
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  return async () => {
    for (const worker of workers) worker.shutdown();
    await running;
  };
}
