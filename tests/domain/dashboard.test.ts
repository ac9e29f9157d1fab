import assert from 'node:assert/strict';
import { rateOf, trendOf } from '../../domain/dashboard-figures.ts';
import { dashboardPeriod, daysOf, type Period } from '../../domain/dashboard-period.ts';

describe('dashboard figures', () => {
  const rates: readonly [part: number, whole: number, rate: number][] = [
    [0, 0, 0],
    [1, 3, 33.3],
    [2, 3, 66.7],
    [1, 8, 12.5],
    [3, 3, 100],
  ];
  for (const [part, whole, rate] of rates) {
    it(`${part} of ${whole} is ${rate} %`, () => assert.equal(rateOf(part, whole), rate));
  }

  const trends: readonly [current: number, previous: number, trend: number][] = [
    [0, 0, 0],
    [5, 0, 100],
    [0, 5, -100],
    [5, 5, 0],
    [4, 3, 33.3],
    [1, 3, -66.7],
    [9999, 10_000, 0],
  ];
  for (const [current, previous, trend] of trends) {
    it(`${current} after ${previous} is a trend of ${trend} %, never -0`, () => {
      assert.ok(Object.is(trendOf(current, previous), trend));
    });
  }
});

describe('dashboard period', () => {
  const begins: readonly [period: Period, until: string, from: string, previousFrom: string][] = [
    ['day', '2026-11-27T10:00:00Z', '2026-11-27T00:00:00Z', '2026-11-26T14:00:00Z'],
    ['week', '2026-11-27T12:00:00Z', '2026-11-23T00:00:00Z', '2026-11-18T12:00:00Z'],
    ['week', '2026-11-29T12:00:00Z', '2026-11-23T00:00:00Z', '2026-11-16T12:00:00Z'],
    ['week', '2026-11-23T12:00:00Z', '2026-11-23T00:00:00Z', '2026-11-22T12:00:00Z'],
    ['week', '2027-01-02T00:00:00Z', '2026-12-28T00:00:00Z', '2026-12-23T00:00:00Z'],
    ['month', '2026-11-11T00:00:00Z', '2026-11-01T00:00:00Z', '2026-10-22T00:00:00Z'],
    // Midnight is the end of the day before.
    ['month', '2026-12-01T00:00:00Z', '2026-11-01T00:00:00Z', '2026-10-02T00:00:00Z'],
  ];
  for (const [period, until, from, previousFrom] of begins) {
    it(`a ${period} until ${until} begins at ${from}, the one before at ${previousFrom}`, () => {
      const found = dashboardPeriod(period, { from: undefined, until: new Date(until), timeZone: 'UTC' });

      assert.equal(found.label, period);
      assert.deepEqual([found.from, found.previousFrom], [new Date(from), new Date(previousFrom)]);
    });
  }

  it('a period with a given beginning is "custom"', () => {
    const from = new Date('2026-11-05T06:00:00Z');

    const found = dashboardPeriod('day', { from, until: new Date('2026-11-07T06:00:00Z'), timeZone: 'UTC' });

    assert.deepEqual([found.label, found.from, found.previousFrom], ['custom', from, new Date('2026-11-03T06:00:00Z')]);
  });

  it('a period lists each of its days once, first and last included', () => {
    const days = daysOf({
      from: new Date('2028-02-28T23:00:00Z'),
      until: new Date('2028-03-02T00:00:00Z'),
      timeZone: 'UTC',
    });

    assert.deepEqual(days, ['2028-02-28', '2028-02-29', '2028-03-01']);
  });
});
