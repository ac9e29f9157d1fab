import assert from 'node:assert/strict';
import { createPace } from '../../activities/run-pace.ts';

describe('The pace of runs that deliveries have of their own', () => {
  it('allows sixteen within a second, however they come, and again what is a second old', () => {
    let now = 0;
    const pace = createPace(() => now);
    const asked: boolean[] = [];

    for (const [at, count] of [
      [0, 10],
      [500, 6],
      [900, 1],
      [1_000, 11],
      [1_001, 10],
      [1_400, 1],
      [1_500, 6],
    ] as const) {
      now = at;
      asked.push(pace.allows(count));
    }

    assert.deepEqual(asked, [true, true, false, false, true, false, true]);
  });

  it('does not count what it did not allow', () => {
    const pace = createPace(() => 0);

    assert.deepEqual([pace.allows(17), pace.allows(16)], [false, true]);
  });

  it('remembers for a second what was put together', () => {
    let now = 0;
    const pace = createPace(() => now);
    pace.putTogether(['one']);
    now = 600;
    pace.putTogether(['two']);

    const had = [999, 1_000, 1_600].map((at) => {
      now = at;
      return pace.recentlyTogether();
    });

    assert.deepEqual(had, [['one', 'two'], ['two'], []]);
  });
});
