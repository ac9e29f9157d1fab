import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { startBackingServices } from '../../dev/stack.ts';
import { writeBundle } from '../../worker/workflow-bundle.ts';
import { built } from './built.ts';
import { startNode } from './processes.ts';
import type { Bench } from './row.ts';

/** Starts a worker on servers of its own, whose settings are those for an API beside it. */
export async function startWorker(
  bench: Bench,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ pid: number; env: Readonly<Record<string, string>>; postgres: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoting-bench-'));
  bench.after(() => rm(dataDir, { recursive: true, force: true }));
  const services = await startBackingServices({
    dataDir,
    profile: 'test',
    environment: { SIGNUP_PLAN: 'PRO', ...environment },
  });
  bench.after(services.stop);
  const { env, postgres } = services;
  if (!postgres) throw new Error('the servers did not start');
  await migrate({ admin: postgres.adminUrl, app: postgres.appUrl, dispatcher: postgres.dispatcherUrl });
  const program = await built('worker/main.ts');
  await writeBundle(join(program, '../../workflow-bundle.js'));
  const worker = await startNode('worker/main.ts', { env });
  bench.after(worker.stop);
  return { pid: worker.pid, env, postgres: postgres.process.pid };
}
