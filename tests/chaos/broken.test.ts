import assert from 'node:assert/strict';
import { install, type Installation } from '../installation.ts';
import { startOwnProcess } from '../own-process.ts';
import { BREAKAGES, brokenCopy } from './broken.ts';
import { bursts } from './bursts.ts';
import { CALM, runUnderLoad, untilCalls } from './load.ts';
import { startReceivers } from './receivers.ts';

/** A check that never fails proves nothing: each of these is the product with one promise of the API broken on purpose. */
describe('invariant checker', () => {
  let service: Installation;

  before(async () => {
    service = await install();
  });
  after(() => service.remove());

  for (const [index, breakage] of BREAKAGES.entries()) {
    it(`detects: ${breakage.name}`, async () => {
      await using copy = await brokenCopy(breakage);
      await service.processes.api.stop();
      service.processes.api = await startOwnProcess('api/main.ts', service.env, { root: copy.root });
      await using receivers = await startReceivers();

      const wrong = await bursts(service, receivers, 100 + index, [breakage.burst]);
      const violated = breakage.underLoad
        ? Object.keys((await runUnderLoad(service, untilCalls(2, 'status'), CALM)).violations)
        : [];

      assert.match(wrong.join('\n'), breakage.caughtBy);
      if (breakage.underLoad) assert.match(violated.join('\n'), breakage.underLoad);
    });
  }
});
