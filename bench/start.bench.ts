import { cpuOf } from './lib/cpu.ts';
import { startApi } from './lib/processes.ts';
import type { Bench, Findings, Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';
import { startWorker } from './lib/worker.ts';

/** Goal 12: how soon the processes serve, in seconds of CPU, which are the same on a busy machine. `memory` has what they hold. */
export const row: Row = {
  name: 'start',
  title: 'starting the two processes',
  quick: false,
  run: measureStart,
};

async function measureStart(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const api = await startApi(databases, await databases.shared(DATA_SETS.smallMany));
  bench.after(api.stop);
  const cpuOfApi = cpuOf(api.pid);
  const { pid: worker } = await startWorker(bench);
  return {
    figures: [
      { what: 'API, until it serves', value: cpuOfApi / 1e9, unit: 's of CPU', goal: { most: 1.5 } },
      {
        what: 'worker with its bundle, until it serves',
        value: cpuOf(worker) / 1e9,
        unit: 's of CPU',
        goal: { most: 3 },
      },
    ],
  };
}
