import assert from 'node:assert/strict';
import { attemptsOf, pauseAfter, RETRY_PAUSES_S } from '../../domain/delivery-schedule.ts';

const now = new Date('2026-11-27T12:00:00Z');
const pause = (ended: number, options: { retryAfter?: string; random?: number } = {}) =>
  pauseAfter(ended, { pausesS: RETRY_PAUSES_S, retryAfter: null, random: 0.5, now, ...options });

describe('The schedule of a delivery', () => {
  it('has ten attempts over 75 h 35 m 5 s', () => {
    assert.equal(attemptsOf(RETRY_PAUSES_S), 10);
    assert.equal(
      RETRY_PAUSES_S.reduce((sum, step) => sum + step, 0),
      75 * 3600 + 35 * 60 + 5,
    );
  });

  it('pauses 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then no more', () => {
    assert.deepEqual(
      Array.from({ length: 10 }, (_, i) => pause(i + 1)),
      [5_000, 300_000, 1_800_000, 7_200_000, 18e6, 36e6, 50.4e6, 72e6, 86.4e6, undefined],
    );
  });

  it('strays from each pause by a fifth at most', () => {
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
  ] as const) {
    it(`pauses ${ms} ms before a step of 300 s when Retry-After is ${retryAfter}`, () => {
      assert.equal(pause(2, { retryAfter }), ms);
    });
  }
});
