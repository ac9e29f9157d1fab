import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { install } from '../installation.ts';
import { FAULTS } from './faults.ts';
import { runUnderLoad } from './load.ts';
import { report } from './report.ts';

/**
 * F20: load for half an hour with a random fault every few seconds to minutes. API and worker themselves live on, so
 * that what they gather can be seen: memory and open files must not grow with time.
 */

const MINUTES = 30;
/** Everything that befalls the servers behind them. */
const BEFALL = FAULTS.filter(({ name }) => /^(F3|F4|F5|F8|F9) /.test(name));

interface Sample {
  readonly at: number;
  readonly rssMb: number;
  readonly files: number;
}

describe('A soak', function soak() {
  this.timeout((MINUTES + 10) * 60_000);

  it(`of ${MINUTES} minutes with random faults: all invariants hold, memory and open files stay flat`, async () => {
    const service = await install();
    const samples: Record<'api' | 'worker', Sample[]> = { api: [], worker: [] };
    const hits: string[] = [];
    let kills = 0;
    try {
      const outcome = await runUnderLoad(
        service,
        async () => {
          const end = Date.now() + MINUTES * 60_000;
          const sampling = setInterval(() => {
            for (const name of ['api', 'worker'] as const) samples[name].push(sample(service.processes[name].pid));
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
      const flat = (['api', 'worker'] as const).map((name) => growth(name, samples[name]));
      await report({
        fault: `F20 soak of ${MINUTES} min: random faults of F3–F9`,
        times: hits.length,
        kills,
        invariants: 'I1–I12',
        result: `${outcome.calls} calls; ${flat.map(({ text }) => text).join('; ')}`,
        lost: Object.keys(outcome.violations).length,
        doubled: 0,
      });
      assert.deepEqual(outcome.violations, {});
      // The first minutes fill caches and pools; what a minute hardly shows is no slope.
      for (const { mbPerHour, files, text } of flat) assert.ok(mbPerHour < 60 && files < 20, text);
    } finally {
      await service.remove();
    }
  });
});

function sample(pid: number): Sample {
  const rss = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return { at: Date.now(), rssMb: rss / 1024, files: readdirSync(`/proc/${pid}/fd`).length };
}

/** The straight line through the later two thirds of the samples. */
function growth(name: string, all: readonly Sample[]) {
  const samples = all.slice(Math.floor(all.length / 3));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = mean(samples.map((one) => one.at));
  const mb = mean(samples.map((one) => one.rssMb));
  const slope =
    samples.reduce((sum, one) => sum + (one.at - at) * (one.rssMb - mb), 0) /
    samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
  const mbPerHour = slope * 3_600_000;
  const files = (samples.at(-1)?.files ?? 0) - (samples[0]?.files ?? 0);
  return {
    mbPerHour,
    files,
    text: `${name} ${mb.toFixed(0)} MB, ${mbPerHour.toFixed(1)} MB an hour, ${files} more open files`,
  };
}
