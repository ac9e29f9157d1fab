import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { untilEnded, type Watched } from '../../activities/worker-end.ts';

type Status = ReturnType<Watched['getStatus']>;

const worker = (runState: Status['runState'], numInFlightActivities = 0): Watched => ({
  getStatus: () => ({ runState, numInFlightActivities, numInFlightWorkflowActivations: 0 }),
});

describe('A worker that is waited for', function waiting() {
  this.timeout(40_000);
  const forEver = new Promise<void>(() => {});

  it('has ended when it ran to its end, and failed with its own error', async () => {
    await untilEnded(worker('STOPPED'), Promise.resolve());
    await assert.rejects(untilEnded(worker('FAILED'), Promise.reject(new Error('no namespace'))), /no namespace/);
  });

  it('is given up when it failed and does not end', async () => {
    await assert.rejects(untilEnded(worker('FAILED'), forEver), /does not end/);
  });

  it('is left alone when it stops, has nothing under way and does not end', async () => {
    await untilEnded(worker('STOPPING'), forEver);
  });

  it('is waited for while it runs, and while something is under way', async () => {
    for (const busy of [worker('RUNNING'), worker('STOPPING', 1)]) {
      const first = await Promise.race([
        untilEnded(busy, sleep(7_000)).then(() => 'ended'),
        sleep(6_000).then(() => 'waited'),
      ]);
      assert.equal(first, 'waited');
    }
  });
});
