import { setTimeout as sleep } from 'node:timers/promises';
import { openCallers } from './lib/callers.ts';
import { cpuOf, residentBytes } from './lib/cpu.ts';
import { startApi } from './lib/processes.ts';
import type { Bench, Figure, Findings, Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';
import { startWorker } from './lib/worker.ts';

/** Goal 12: how soon the processes serve, and what they hold. Seconds are of CPU: they are the same on a busy machine. Idle is a minute and more after the start, with nothing asked. */
export const row: Row = {
  name: 'start',
  title: 'starting, and resident memory',
  quick: false,
  shortfall: `Resident memory is libraries, by themselves above the 39 MiB of Node: Temporal's client with gRPC 36, the S3 client 22; pdfkit with its faces, 27 and a thread of its own, comes with the first document, sharp and undici, 44 together, with the first image and the first outbound call. What a start leaves V8 clears away after half a minute of rest, later on a busy machine. A worker has four threads for workflows and PDFs beside its own, each with a heap and a copy of its code.`,
  run: measureStart,
};

const MIB = 2 ** 20;
/** What a start leaves in the heap V8 clears away after half a minute in which next to nothing happens, later on a busy machine. */
const UNTIL_IDLE_MS = 75_000;

async function measureStart(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const database = await databases.shared(DATA_SETS.smallMany);
  const api = await startApi(databases, database);
  bench.after(api.stop);
  const figures: Figure[] = [
    { what: 'API, until it serves', value: cpuOf(api.pid) / 1e9, unit: 's of CPU', goal: { most: 1.5 } },
  ];
  figures.push(memory('API, as soon as it serves', residentBytes(api.pid)));
  await sleep(UNTIL_IDLE_MS);
  figures.push(memory('API idle', residentBytes(api.pid), 130));
  const headers = { cookie: await database.cookieOf(0) };
  const callers = openCallers(api.url, { callers: 16, request: () => ({ path: '/api/quotes', headers }) });
  bench.after(callers.close);
  await callers.send(4_000);
  figures.push(memory('API under load', residentBytes(api.pid), 220));

  const { pid: worker } = await startWorker(bench);
  figures.push({
    what: 'worker with its bundle, until it serves',
    value: cpuOf(worker) / 1e9,
    unit: 's of CPU',
    goal: { most: 3 },
  });
  figures.push(memory('worker, as soon as it serves', residentBytes(worker)));
  await sleep(UNTIL_IDLE_MS);
  figures.push(memory('worker idle', residentBytes(worker), 260));
  return { figures };
}

const memory = (what: string, bytes: number, most?: number): Figure => ({
  what,
  value: bytes / MIB,
  unit: 'MiB',
  ...(most !== undefined && { goal: { most } }),
});
