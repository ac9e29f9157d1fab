import assert from 'node:assert/strict';
import { install } from '../installation.ts';
import { BREAKAGES, brokenCopy } from './broken.ts';
import { bursts } from './bursts.ts';
import { CALM, runUnderLoad } from './load.ts';
import { startReceivers } from './receivers.ts';

/** A checker that never failed proves nothing: each of these is the product with one of its promises taken out. */
describe('The checker', function broken() {
  this.timeout(180_000);

  for (const breakage of BREAKAGES) {
    it(`detects: ${breakage.name}`, async () => {
      await using copy = await brokenCopy(breakage);
      const service = await install({ root: copy.root });
      try {
        const outcome = await runUnderLoad(service, async () => undefined, CALM);
        await using receivers = await startReceivers();
        const wrong = await bursts(service, receivers, 100);
        const said = [...Object.keys(outcome.violations), ...wrong];
        assert.match(said.join('\n'), breakage.caughtBy);
      } finally {
        await service.remove();
      }
    });
  }
});
