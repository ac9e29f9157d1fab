import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { attemptsOf, maxThrottleMs, pauseAfter, RETRY_PAUSES_S } from '../../domain/delivery-schedule.ts';

const now = new Date('2026-11-27T12:00:00Z');
const pause = (ended: number, options: { retryAfter?: string; random?: number } = {}) =>
  pauseAfter(ended, { pausesS: RETRY_PAUSES_S, retryAfter: null, random: 0.5, now, ...options });

describe('delivery schedule', () => {
  it('there are ten attempts over 75 h 35 m 5 s', () => {
    assert.equal(attemptsOf(RETRY_PAUSES_S), 10);
    assert.equal(
      RETRY_PAUSES_S.reduce((sum, step) => sum + step, 0),
      75 * 3600 + 35 * 60 + 5,
    );
  });

  it('the pauses are 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
    assert.deepEqual(
      Array.from({ length: 10 }, (_, i) => pause(i + 1)),
      [5_000, 300_000, 1_800_000, 7_200_000, 18e6, 36e6, 50.4e6, 72e6, 86.4e6, undefined],
    );
  });

  it('the jitter of a pause is at most a fifth', () => {
    assert.deepEqual([pause(2, { random: 0 }), pause(2, { random: 1 })], [240_000, 360_000]);
  });

  for (const [retryAfter, ms] of [
    ['400', 400_000],
    ['0', 300_000],
    ['9999999', 600_000],
    ['-5', 300_000],
    ['1e9', 300_000],
    ['Fri, 27 Nov 2026 12:07:00 GMT', 420_000],
    ['Fri, 27 Nov 2026 11:00:00 GMT', 300_000],
    ['whenever', 300_000],
    ['', 300_000],
    ['mañana a las 12, en 2099', 300_000],
    ['2099-01-01', 300_000],
    ['400.5', 300_000],
    ['99999999999999999999', 600_000],
    ['9'.repeat(400), 600_000],
    ['Fri, 27 Nov 2099 12:00:00 GMT', 600_000],
    ['Friday, 27-Nov-26 12:07:00 GMT', 420_000],
    ['Fri Nov 27 12:07:00 2026', 420_000],
    ['Fri, 99 Nov 2026 12:07:00 GMT', 300_000],
  ] as const) {
    it(`the pause is ${ms} ms at a step of 300 s when Retry-After is «${retryAfter.slice(0, 32)}»`, () => {
      assert.equal(pause(2, { retryAfter }), ms);
    });
  }

  describe('delivery schedule, for any pauses, random number and header', () => {
    const pausesS = fc.array(fc.nat({ max: 999_999 }), { minLength: 1, maxLength: 30 });
    const header = fc.oneof(
      fc.constant(null),
      fc.string({ maxLength: 40 }),
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    const any = fc.record({ pausesS, retryAfter: header, random: fc.double({ min: 0, max: 1, noNaN: true }) });

    it('there is one attempt more than pauses', () => {
      fc.assert(
        fc.property(any, (options) => {
          const made = Array.from({ length: 32 }, (_, i) => pauseAfter(i + 1, { ...options, now }));
          assert.equal(made.findIndex((ms) => ms === undefined) + 1, attemptsOf(options.pausesS));
        }),
      );
    });

    it('a pause is between 80 % and 200 % of the step, above 120 % only for a Retry-After', () => {
      fc.assert(
        fc.property(any, fc.nat({ max: 29 }), (options, index) => {
          const step = options.pausesS[index % options.pausesS.length] ?? 0;
          const ms = pauseAfter((index % options.pausesS.length) + 1, { ...options, now });
          assert.ok(ms !== undefined && Number.isInteger(ms), `${ms}`);
          assert.ok(ms >= Math.floor(step * 800) && ms <= step * 2000, `${ms} ms for ${step} s`);
          assert.ok(options.retryAfter !== null || ms <= Math.ceil(step * 1200), `${ms} ms, and nobody asked`);
        }),
      );
    });

    it('a Retry-After between the step and twice the step is honoured to the second', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 2, max: 999_999 }),
          fc.double({ min: 1.2, max: 2, noNaN: true }),
          (step, factor) => {
            const seconds = Math.ceil(step * factor);
            const date = new Date(now.getTime() + seconds * 1000).toUTCString();
            const options = { pausesS: [step], random: 1, now };
            const most = step * 2000;
            assert.equal(pauseAfter(1, { ...options, retryAfter: String(seconds) }), Math.min(seconds * 1000, most));
            assert.equal(pauseAfter(1, { ...options, retryAfter: date }), Math.min(seconds * 1000, most));
          },
        ),
      );
    });
  });

  it('a due delivery may wait until the next attempt would be due, and five minutes before the first', () => {
    assert.deepEqual(
      [0, 1, 2, 8, 9].map((ended) => maxThrottleMs(ended, RETRY_PAUSES_S)),
      [300_000, 300_000, 1_800_000, 86_400_000, 86_400_000],
    );
    assert.deepEqual(maxThrottleMs(0, [7]), 7_000);
  });
});
