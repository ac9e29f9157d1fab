import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type LiveHeap, liveHeapIn, TRACE_HEAP } from '../chaos/live-heap.ts';

/**
 * Runs a program that allocates two megabytes of numbers fifty times, collects garbage each time, and applies the given
 * code to them. `mbInAll`: the slope times its run time, independent of the machine's speed.
 */
function run(each: string): LiveHeap & { readonly mbInAll: number } {
  const program = `
    const kept = [];
    let turns = 0;
    const timer = setInterval(() => {
      const numbers = Array.from({ length: 250_000 }, () => Math.random());
      ${each}
      globalThis.gc();
      if ((turns += 1) === 50) clearInterval(timer);
    }, 10);`;
  const startedAt = performance.now();
  const heap = liveHeapIn(execFileSync(process.execPath, [...TRACE_HEAP, '-e', program], { encoding: 'utf8' }));
  return { ...heap, mbInAll: (heap.mbPerHour * (performance.now() - startedAt)) / 3_600_000 };
}

describe('live heap of a process', () => {
  it('grows by retained objects, and not by garbage', () => {
    const [leaking, clean] = [run('kept.push(numbers);'), run('')];

    assert.ok(leaking.collections >= 50 && clean.collections >= 50, `${leaking.collections}, ${clean.collections}`);
    assert.ok(leaking.mb > 90 && clean.mb < 20, `${leaking.mb} MB, ${clean.mb} MB`);
    assert.ok(leaking.mbInAll > 50, `${leaking.mbInAll} MB`);
    assert.ok(Math.abs(clean.mbInAll) < 10, `${clean.mbInAll} MB`);
  });

  it('is the sum of all threads', () => {
    const text = [
      '[7:0x1a]      100 ms: Mark-Compact 48.6 (77.7) -> 34.8 (77.1) MB, pooled: 0 MB, 5.00 / 0.00 ms  (average mu = 0.9)',
      '[7:0x2b]      100 ms: Mark-Compact (reduce) 20.1 (29.4) -> 19.2 (21.2) MB, 4.10 / 0.00 ms',
      '[7:0x1a]      200 ms: Scavenge 60.0 (77.7) -> 50.0 (77.1) MB, 1.00 / 0.00 ms',
      '{"level":"info","msg":"Mark-Compact 1.0 (1.0) -> 1.0 (1.0) MB"}',
      '[7:0x1a]      300 ms: Mark-Compact 70.0 (77.7) -> 36.0 (77.1) MB, 5.00 / 0.00 ms',
    ].join('\n');

    const { mb, mbPerHour, collections } = liveHeapIn(text);

    assert.deepEqual([mb.toFixed(1), mbPerHour, collections], ['55.2', 0, 3]);
  });
});
