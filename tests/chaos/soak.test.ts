import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytes } from '../../bench/lib/cpu.ts';
import { install } from '../installation.ts';
import { FAULTS } from './faults.ts';
import { liveHeapIn, TRACE_HEAP } from './live-heap.ts';
import { runUnderLoad } from './load.ts';
import { report } from './report.ts';

/**
 * F20: load for half an hour with a random fault every few seconds to minutes. API and worker are not restarted, so
 * that growth is visible: neither their retained memory nor their open files may grow with time.
 */

const MINUTES = 30;
/** The faults of the servers behind them. */
const BEFALL = FAULTS.filter(({ name }) => /^(F3|F4|F5|F8|F9) /.test(name));
/** The smallest growth that half an hour can tell from noise. */
const MAX_MB_PER_HOUR = 30;
const MAX_MORE_FILES = 20;

const OWN = ['api', 'worker'] as const;
type Own = (typeof OWN)[number];

describe('soak', function () {
  this.timeout((MINUTES + 10) * 60_000);

  it(`of ${MINUTES} minutes with random faults keeps all invariants, and memory and open files stay flat`, async () => {
    const service = await install({ apart: { api: { node: TRACE_HEAP }, worker: { node: TRACE_HEAP } } });
    const files: Record<Own, number[]> = { api: [], worker: [] };
    const hits: string[] = [];
    let kills = 0;
    try {
      const outcome = await runUnderLoad(
        service,
        async () => {
          const end = Date.now() + MINUTES * 60_000;
          const sampling = setInterval(() => {
            for (const name of OWN) files[name].push(openFilesOf(service.processes[name].pid));
          }, 5_000);
          try {
            while (Date.now() < end) {
              await sleep(20_000 * (0.5 + Math.random()));
              const fault = BEFALL[Math.floor(Math.random() * BEFALL.length)];
              await fault?.hit(service, 'short');
              hits.push(fault?.name.slice(0, 2) ?? '');
              if (fault?.kills) kills += 1;
            }
          } finally {
            clearInterval(sampling);
          }
        },
        { allowance: { repeatedCalls: 1_000, repeatedMails: 1_000, skew: 5 } },
      );
      const grown = OWN.map((name) => {
        const own = service.processes[name];
        const heap = liveHeapIn(own.output());
        const moreFiles = (files[name].at(-1) ?? 0) - (files[name][Math.floor(files[name].length / 3)] ?? 0);
        const text = `${name} keeps ${heap.mb.toFixed(0)} MB of heap, ${heap.mbPerHour.toFixed(1)} MB an hour more, ${moreFiles} more open files, resident ${(residentBytes(own.pid) / 2 ** 20).toFixed(0)} MB`;
        return { ...heap, moreFiles, text };
      });
      await report({
        fault: `F20 soak of ${MINUTES} min: random faults of F3–F9`,
        times: hits.length,
        kills,
        invariants: 'I1–I12',
        result: `${outcome.calls} calls; ${grown.map(({ text }) => text).join('; ')}`,
        lost: Object.keys(outcome.violations).length,
        doubled: 0,
      });
      assert.deepEqual(outcome.violations, {});
      for (const { collections, mbPerHour, moreFiles, text } of grown) {
        assert.ok(collections > 10, `${collections} collections were seen`);
        assert.ok(mbPerHour < MAX_MB_PER_HOUR && moreFiles < MAX_MORE_FILES, text);
      }
    } finally {
      await service.remove();
    }
  });
});

const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
