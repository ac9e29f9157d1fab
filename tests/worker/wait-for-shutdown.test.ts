import assert from 'node:assert/strict';
import { waitForShutdown, type WatchedWorker } from '../../worker/wait-for-shutdown.ts';

type Status = ReturnType<WatchedWorker['getStatus']>;

const worker = (runState: Status['runState'], numInFlightActivities = 0): WatchedWorker => ({
  getStatus: () => ({ runState, numInFlightActivities, numInFlightWorkflowActivations: 0 }),
});

describe('A worker that is waited for', () => {
  /** Waits for a worker that does not end by itself. `isOver` tells when the wait is over. */
  function wait(watched: WatchedWorker) {
    let isOver = false;
    let end = (): void => undefined;
    const run = new Promise<void>((resolve) => {
      end = resolve;
    });
    const outcome = waitForShutdown(watched, run).then(
      () => 'ended',
      (error: unknown) => String(error),
    );
    void outcome.then(() => (isOver = true));
    return { outcome, isOver: () => isOver, end };
  }

  it('has ended when it ran to its end, and failed with its own error', async () => {
    await waitForShutdown(worker('STOPPED'), Promise.resolve());
    await assert.rejects(waitForShutdown(worker('FAILED'), Promise.reject(new Error('no namespace'))), /no namespace/);
  });

  // The waits begin together, so that the order of their ends shows which limit each one had.
  it('is not waited for when it stops idle, given up later when it failed, and waited for while it runs or is busy', async () => {
    const [idle, failed] = [wait(worker('STOPPING')), wait(worker('FAILED'))];
    const [running, busy] = [wait(worker('RUNNING')), wait(worker('STOPPING', 1))];

    assert.equal(await idle.outcome, 'ended');
    assert.equal(failed.isOver(), false);
    assert.match(await failed.outcome, /a worker that failed does not end/);
    assert.deepEqual([running.isOver(), busy.isOver()], [false, false]);

    running.end();
    busy.end();
    assert.deepEqual(await Promise.all([running.outcome, busy.outcome]), ['ended', 'ended']);
  });
});
