import assert from 'node:assert/strict';
import { install } from '../installation.ts';
import { BREAKAGES, brokenCopy } from './broken.ts';
import { bursts } from './bursts.ts';
import { runUnderLoad } from './load.ts';
import { startReceivers } from './receivers.ts';
import { isLong, report } from './report.ts';

/** A short load, with nothing that goes wrong. */
const CALM = {
  tenants: { count: 4, wired: 1 },
  rate: 5,
  warmUpMs: 6_000,
  allowance: { repeatedCalls: 0, repeatedMails: 0, skew: 5 },
} as const;

/** A checker that never failed proves nothing: each of these is the product with one of its promises taken out. */
describe('The checker', function broken() {
  this.timeout(180_000);

  it('finds nothing wrong with the product as it is, with 50 calls for one thing at once (F14)', async function calm() {
    const times = isLong() ? 20 : 2;
    this.timeout(60_000 + times * 60_000);
    const service = await install();
    try {
      const outcome = await runUnderLoad(service, async () => undefined, CALM);
      await using receivers = await startReceivers();
      const wrong: string[] = [];
      for (let time = 0; time < times; time += 1) wrong.push(...(await bursts(service, receivers, 100 + time)));
      await report({
        fault: 'F14 50 creates with one key, 50 creates, 50 moves, 20 accepts, 50 shares at once',
        times,
        kills: 0,
        invariants: 'I2, I3, I5, I6',
        result: wrong.length === 0 ? 'one effect each' : wrong.join('; '),
        lost: wrong.length,
        doubled: 0,
      });
      assert.deepEqual([outcome.violations, wrong], [{}, []]);
      assert.equal(outcome.repeated, 0);
    } finally {
      await service.remove();
    }
  });

  for (const breakage of BREAKAGES) {
    it(`catches: ${breakage.name}`, async () => {
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
