import assert from 'node:assert/strict';
import { installation } from '../journey/installation.ts';
import { bursts } from './bursts.ts';
import { CALM, loadRenderers, runUnderLoad, untilCalls } from './load.ts';
import { startReceivers } from './receivers.ts';
import { isLong, report } from './report.ts';

/** The checker must report nothing here; `broken.test.ts` has what it must report. */
describe('unbroken product', () => {
  it('violates no invariant and repeats no call, and 50 concurrent calls for one effect have it once (F14)', async function () {
    const times = isLong() ? 20 : 1;
    this.timeout(300_000 + times * 60_000);
    const service = await installation();
    await loadRenderers(service);
    const outcome = await runUnderLoad(service, untilCalls(30), CALM);
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
    assert.deepEqual(outcome.repetitions, []);
  });
});
