import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { install, type Installation } from '../installation.ts';
import { FAULTS } from './faults.ts';
import { runUnderLoad } from './load.ts';
import { isLong, report } from './report.ts';

/** In the short form the pauses around a fault are shorter, and the load lasts `atLeastMs` in all. */
const SHORT = { pauseMs: 2_500, atLeastMs: 6_000 } as const;

/** Each fault under load from new businesses; afterwards every invariant is checked. */
describe('under load', function () {
  const form = isLong() ? 'long' : 'short';
  this.timeout(form === 'long' ? 30 * 60_000 : 4 * 60_000);
  let service: Installation;

  before(async () => {
    service = await install();
  });
  after(() => service.remove());

  for (const { name, times, everyMs, kills, hit, targets = {}, patienceMs, allowance } of FAULTS) {
    const count = times[form];
    if (count === 0) continue;
    const pauseMs = form === 'long' ? everyMs : Math.min(everyMs, SHORT.pauseMs);
    it(`${name}, ${count} times: nothing lost, nothing duplicated`, async () => {
      const away: number[] = [];
      const outcome = await runUnderLoad(
        service,
        async () => {
          const startedAt = Date.now();
          for (let time = 0; time < count; time += 1) {
            await sleep(pauseMs * (0.5 + Math.random()));
            const ms = await hit(service, form);
            if (ms !== undefined) away.push(ms);
          }
          const restMs = form === 'long' ? 0 : SHORT.atLeastMs - (Date.now() - startedAt);
          await sleep(Math.max(pauseMs, restMs));
        },
        {
          allowance: allowance(count),
          ...(patienceMs !== undefined && { patienceMs }),
        },
      );
      const { calls, repeated, doubt, quietAfter, longestMs, repeatedAfterMs, writes } = outcome;
      const awayMs = Math.max(0, ...away);
      const writesAtFirst = 1 - writes.failed / Math.max(1, writes.count);
      const wrong = Object.entries(outcome.violations);
      await report({
        fault: name,
        times: count,
        kills: kills ? count : 0,
        invariants: 'I1–I12',
        result: [
          `${calls} calls, ${repeated} repeated, ${doubt} of unknown outcome`,
          ...(away.length > 0 ? [`down for at most ${awayMs} ms`] : []),
          `slowest response ${(longestMs / 1000).toFixed(1)} s`,
          ...(repeatedAfterMs > 0 ? [`interrupted webhook again after ${(repeatedAfterMs / 1000).toFixed(1)} s`] : []),
          ...(targets.writesAtFirst === undefined
            ? []
            : [`writes successful at the first attempt ${(writesAtFirst * 100).toFixed(1)} %`]),
          `quiet after ${(quietAfter / 1000).toFixed(1)} s`,
        ].join('; '),
        lost: wrong.length,
        doubled: 0,
      });
      assert.deepEqual(outcome.violations, {});
      assert.ok(calls > 30, `only ${calls} calls were made`);
      // The short form shares its two cores with another worker.
      const slack = form === 'short' ? 5 : 1;
      const measured = { awayMs, quietMs: quietAfter, repeatedAfterMs, longestMs };
      const missed = Object.entries(measured).filter(
        ([name, ms]) => ms > (targets[name as keyof typeof measured] ?? Infinity) * slack, // entries() forgets the names
      );
      assert.deepEqual(missed, []);
      assert.ok(writesAtFirst >= (targets.writesAtFirst ?? 0), `${writes.failed} of ${writes.count} writes failed`);
    });
  }
});
