import { setTimeout as sleep } from 'node:timers/promises';
import { registered } from './lib/business.ts';
import { residentBytes } from './lib/cpu.ts';
import { median } from './lib/measure.ts';
import { startMixedLoad } from './lib/mixed-load.ts';
import { startNode } from './lib/processes.ts';
import type { Bench, Figure, Findings, Row } from './lib/row.ts';
import { startWorker } from './lib/worker.ts';

/** What API and worker hold before, during and after ten minutes of everything that people and clients do. */
export const row: Row = {
  name: 'memory',
  title: 'resident memory over ten minutes of mixed load',
  when: 'long',
  quick: false,
  run: measureMemory,
};

const MIB = 2 ** 20;
/** V8 shrinks its heaps after half a minute in which next to nothing happens, later on a busy machine. */
const REST_MS = 75_000;
const LOAD_MS = 600_000;
const SAMPLE_MS = 2_000;
/** Garbage that V8 has not collected yet. */
const NOISE_MIB = 15;

/** From the mappings of the processes (proc_pid_smaps(5)) and Node's diagnostic reports, in MiB. */
const CAUSES = `What an idle API of 107 MiB holds: Node's program 49, its own program as text 7, and what that program has made, mostly classes, schemas and functions of packages, 35; C++ objects outside of V8's heap 12, system libraries 4. Under load, 186 after two minutes: Node's program 51, V8's heap 115, of which 100 are in use, C++ objects 16, system libraries 4; drawing a PDF adds a thread of 19. An idle worker of 152: Node 44, heap 59, the thread for workflows 19, Temporal's core 12. Under load: heap 82, two threads 52, libvips 6, compiled code 6.`;

type Series = readonly number[];

async function measureMemory(bench: Bench): Promise<Findings> {
  const worker = await startWorker(bench, { RATE_LIMITS: 'off', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });
  const api = await startNode('api/main.ts', { env: worker.env });
  bench.after(api.stop);
  const sink = await startNode('bench/reference/sink.mjs');
  bench.after(sink.stop);
  const held = () => [residentBytes(api.pid) / MIB, residentBytes(worker.pid) / MIB] as const;

  await sleep(REST_MS);
  const [apiIdle, workerIdle] = held();
  const load = await startMixedLoad(api.url, { cookie: await registered(api.url), sinkUrl: `${sink.url}/` });
  const series: (readonly [number, number])[] = [];
  const until = performance.now() + LOAD_MS;
  while (performance.now() < until) {
    await sleep(SAMPLE_MS);
    series.push(held());
  }
  await load.stop();
  const ofApi = series.map(([mib]) => mib);
  const ofWorker = series.map(([, mib]) => mib);
  await sleep(REST_MS);
  const [apiRested, workerRested] = held();
  return {
    figures: [
      mib('API idle', apiIdle, 110),
      mib('API under load, the most', Math.max(...ofApi), 200),
      mib('API, growth over the second half of the load', growth(ofApi), NOISE_MIB),
      mib('API idle again', apiRested),
      mib('worker idle', workerIdle, 190),
      mib('worker under load, the most', Math.max(...ofWorker), 350),
      mib('worker, growth over the second half of the load', growth(ofWorker), NOISE_MIB),
      mib('worker idle again', workerRested),
      { what: 'requests answered', value: load.done(), unit: 'in ten minutes' },
    ],
    notes: [CAUSES],
  };
}

/** From the third to the fourth quarter, by their medians: the first half fills caches and compiles code. */
function growth(series: Series): number {
  const quarter = Math.floor(series.length / 4);
  return median(series.slice(3 * quarter)) - median(series.slice(2 * quarter, 3 * quarter));
}

const mib = (what: string, value: number, most?: number): Figure => ({
  what,
  value,
  unit: 'MiB',
  ...(most !== undefined && { goal: { most } }),
});
