import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { install } from '../installation.ts';
import { answering } from './faults.ts';
import { runUnderLoad } from './load.ts';
import { suffers } from './preload/preload.ts';
import { isLong, report } from './report.ts';

/** F16: a process that has no time, or no memory left. */

const BLOCK_MS = 2_000;
const HEAP_MB = 192;

describe('A process without CPU or memory', function starving() {
  this.timeout(10 * 60_000);

  it(`API, its event loop blocked for ${BLOCK_MS / 1000} s: /readyz fails meanwhile and recovers, nothing lost`, async () => {
    const times = isLong() ? 10 : 3;
    const api = { node: suffers('block'), settings: { BLOCK_MS: String(BLOCK_MS) } };
    const service = await install({ apart: { api } });
    const seen: { during: boolean; backMs: number }[] = [];
    try {
      const outcome = await runUnderLoad(
        service,
        async () => {
          for (let time = 0; time < times; time += 1) {
            process.kill(service.processes.api.pid, 'SIGUSR2');
            const startedAt = Date.now();
            await sleep(100);
            const during = await isReadyWithin(service.http.url, 1_000);
            await answering(service);
            seen.push({ during, backMs: Date.now() - startedAt });
            await sleep(3_000);
          }
        },
        { allowance: { repeatedCalls: 0, repeatedMails: 0, skew: 5 } },
      );
      const slowest = Math.max(...seen.map(({ backMs }) => backMs));
      await report({
        fault: `F16 the API's event loop blocked for ${BLOCK_MS / 1000} s`,
        times,
        kills: 0,
        invariants: 'I1–I12, readiness',
        result: `${outcome.calls} calls, ${outcome.repeated} repeated; reported ready meanwhile ${seen.filter(({ during }) => during).length} times; ready again after ${slowest} ms at most`,
        lost: Object.keys(outcome.violations).length,
        doubled: 0,
      });
      assert.deepEqual(outcome.violations, {});
      assert.deepEqual(
        seen.filter(({ during }) => during),
        [],
      );
      assert.ok(slowest < BLOCK_MS + 4_000, `ready again after ${slowest} ms`);
    } finally {
      await service.remove();
    }
  });

  it(`worker with a heap of ${HEAP_MB} MB: carries the load, exits when it is full, and its successor loses nothing`, async () => {
    const times = isLong() ? 5 : 1;
    const worker = { node: [`--max-old-space-size=${HEAP_MB}`, ...suffers('leak')] };
    const service = await install({ apart: { worker } });
    let endedUnasked = 0;
    try {
      const outcome = await runUnderLoad(
        service,
        async () => {
          for (let time = 0; time < times; time += 1) {
            await sleep(6_000);
            const { processes } = service;
            if (hasEnded(processes.worker)) endedUnasked += 1;
            else process.kill(processes.worker.pid, 'SIGUSR2');
            const dying = processes.worker;
            await eventually(() => assert.ok(hasEnded(dying), 'the worker lives on'), 30_000);
            assert.match(dying.output(), /JavaScript heap out of memory/);
            await service.startWorker();
          }
          await sleep(6_000);
        },
        { allowance: { repeatedCalls: times * 10, repeatedMails: times, skew: 5 } },
      );
      await report({
        fault: `F16 the worker out of memory at ${HEAP_MB} MB`,
        times,
        kills: times,
        invariants: 'I1–I12',
        result: `${outcome.calls} calls, ${outcome.repeated} repeated; quiet after ${(outcome.quietAfter / 1000).toFixed(1)} s`,
        lost: Object.keys(outcome.violations).length,
        doubled: 0,
      });
      assert.deepEqual(outcome.violations, {});
      assert.equal(endedUnasked, 0, 'the load alone is too much for that heap');
    } finally {
      await service.remove();
    }
  });
});

const hasEnded = (one: { exitCode(): number | null; endedBy(): string | null }): boolean =>
  one.exitCode() !== null || one.endedBy() !== null;

async function isReadyWithin(url: string, withinMs: number): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(withinMs) })).ok;
  } catch {
    return false;
  }
}
