import assert from 'node:assert/strict';
import { untilEnded } from '../../activities/worker-end.ts';

describe('A worker that is waited for', function waiting() {
  this.timeout(40_000);
  const forEver = new Promise<void>(() => {});

  it('has ended when it ran to its end, and failed with its own error', async () => {
    await untilEnded({ getState: () => 'STOPPED' }, Promise.resolve());
    await assert.rejects(
      untilEnded({ getState: () => 'FAILED' }, Promise.reject(new Error('no namespace'))),
      /no namespace/,
    );
  });

  it('is given up when it failed and does not end', async () => {
    await assert.rejects(untilEnded({ getState: () => 'FAILED' }, forEver), /does not end/);
  });
});
