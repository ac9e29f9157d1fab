import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeBundle } from '../worker/workflow-bundle.ts';
import { startBackingServices } from '../dev/stack.ts';
import { migrate } from '../db/migrate.ts';
import { built } from './lib/built.ts';
import { openCallers } from './lib/callers.ts';
import { cpuOf, residentBytes } from './lib/cpu.ts';
import { startApi, startNode } from './lib/processes.ts';
import type { Bench, Figure, Findings, Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';

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
  const figures: Figure[] = [{ what: 'API, until it serves', value: cpuOf(api.pid) / 1e9, unit: 's of CPU' }];
  figures.push(memory('API, as soon as it serves', residentBytes(api.pid)));
  await sleep(UNTIL_IDLE_MS);
  figures.push(memory('API idle', residentBytes(api.pid), 130));
  const headers = { cookie: await database.cookieOf(0) };
  const callers = openCallers(api.url, { callers: 16, request: () => ({ path: '/api/quotes', headers }) });
  bench.after(callers.close);
  await callers.send(4_000);
  figures.push(memory('API under load', residentBytes(api.pid), 220));

  const worker = await startWorker(bench);
  figures.push({ what: 'worker with its bundle, until it serves', value: cpuOf(worker) / 1e9, unit: 's of CPU' });
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

async function startWorker(bench: Bench): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoting-bench-'));
  bench.after(() => rm(dataDir, { recursive: true, force: true }));
  const services = await startBackingServices({ dataDir, profile: 'test' });
  bench.after(services.stop);
  const { env, postgres } = services;
  if (!postgres) throw new Error('the servers did not start');
  await migrate({ admin: postgres.adminUrl, app: postgres.appUrl, dispatcher: postgres.dispatcherUrl });
  const program = await built('worker/main.ts');
  await writeBundle(join(program, '../../workflow-bundle.js'));
  const worker = await startNode('worker/main.ts', { env });
  bench.after(worker.stop);
  return worker.pid;
}
