import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import { startInbox } from '../dev/inbox/inbox.ts';
import { runMigrations } from '../dev/migrations.ts';
import { startPostgres } from '../dev/postgres.ts';
import { startBackingServices } from '../dev/stack.ts';
import { startStorage } from '../dev/storage.ts';
import { startTemporal } from '../dev/temporal.ts';
import { httpClient } from './api/service.ts';
import { type OwnProcess, startOwnProcess } from './own-process.ts';

/**
 * The complete installed service: its two processes and the four servers behind them, each of which a test may stop and
 * restart.
 */
export type Installation = Awaited<ReturnType<typeof install>>;

type Settings = Readonly<Record<string, string>>;

export interface InstallOptions {
  /** Source folder of the two processes; default: this one. */
  readonly root?: string;
  /** Settings of the two processes in addition to those of the test profile. */
  readonly settings?: Settings | ((env: Settings) => Promise<Settings>);
  /** Options of only one of the two processes. */
  readonly apart?: Readonly<Partial<Record<'api' | 'worker', Apart>>>;
}

export interface Apart {
  readonly settings?: Settings;
  /** Node's own flags. */
  readonly node?: readonly string[];
}

/** Starts all of it. If a part does not start, the others are stopped. */
export async function install(options: InstallOptions = {}) {
  const begun: { stop(): Promise<void> }[] = [];
  try {
    return await begin(options, begun);
  } catch (error) {
    await Promise.all(begun.map((part) => part.stop()));
    throw error;
  }
}

async function begin({ root, settings = {}, apart = {} }: InstallOptions, begun: { stop(): Promise<void> }[]) {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoting-installation-'));
  const services = await startBackingServices({
    dataDir,
    profile: 'test',
    // Journeys kill it.
    fsync: true,
    environment: { SIGNUP_PLAN: 'PRO' },
  });
  begun.push(services);
  // Journeys share twenty quotes concurrently, which the limits would refuse.
  const direct: Settings = { ...services.env, RATE_LIMITS: 'off' };
  const env: Record<string, string> = {
    ...direct,
    ...(typeof settings === 'function' ? await settings(direct) : settings),
  };
  const { postgres, temporal, storage, inbox } = services;
  if (!postgres || !temporal || !storage || !inbox) throw new Error('the installation is not whole');
  const portOf = (url: string | undefined) => Number(new URL(url ?? '').port);
  const ports = {
    storage: portOf(direct['S3_ENDPOINT']),
    smtp: portOf(direct['SMTP_URL']),
    temporal: portOf(`http://${direct['TEMPORAL_ADDRESS']}`),
  };

  await runMigrations(dataDir, env);
  const startOwn = async (name: 'api' | 'worker') => {
    const entry = name === 'api' ? 'api/main.ts' : 'worker/main.ts';
    const own = await startOwnProcess(entry, { ...env, ...apart[name]?.settings }, { root, node: apart[name]?.node });
    begun.push(own);
    return own;
  };
  const starting = [startOwn('api'), startOwn('worker')] as const;
  // If one fails, the other must have started before it can be stopped with the rest.
  await Promise.allSettled(starting);
  const [api, worker] = await Promise.all(starting);
  // The current process; a restart replaces the entry.
  const parts: { postgres: typeof postgres; temporal: typeof temporal; storage: typeof storage; inbox: typeof inbox } =
    { postgres, temporal, storage, inbox };
  const processes: { api: OwnProcess; worker: OwnProcess } = { api, worker };
  const connection = Connection.lazy({ address: parts.temporal.address });
  const owners = new Pool({ connectionString: parts.postgres.adminUrl, max: 4 });
  // A test may kill PostgreSQL: an idle connection is then replaced by the next query.
  owners.on('error', () => undefined);

  return {
    dataDir,
    env,
    parts,
    processes,
    http: httpClient(services.apiUrl),
    temporal: new TemporalClient({ connection, namespace: env['TEMPORAL_NAMESPACE'] ?? 'default' }),

    /** Rows of the database, as the owner of its tables, over all tenants. */
    async rows(sql: string, ...values: readonly unknown[]): Promise<Record<string, unknown>[]> {
      return (await owners.query<Record<string, unknown>>(sql, [...values])).rows;
    },

    async startApi(): Promise<void> {
      processes.api = await startOwn('api');
    },
    async startWorker(): Promise<void> {
      processes.worker = await startOwn('worker');
    },
    // Each on its data and address, as after a crash.
    async startPostgres(): Promise<void> {
      parts.postgres = await startPostgres({ dataDir, port: parts.postgres.port });
    },
    async startTemporal(): Promise<void> {
      parts.temporal = await startTemporal({ dataDir, port: ports.temporal, headless: true });
    },
    /** Kills it and deletes all its data. */
    async wipeTemporal(): Promise<void> {
      parts.temporal.process.kill();
      await parts.temporal.process.exited;
      await rm(join(dataDir, 'temporal'), { recursive: true });
    },
    async startStorage(): Promise<void> {
      parts.storage = await startStorage({ dataDir, port: ports.storage });
    },
    async startInbox(): Promise<void> {
      parts.inbox = await startInbox({ dataDir, smtpPort: ports.smtp });
    },

    async remove(): Promise<void> {
      await connection.close();
      await owners.end();
      await Promise.all([processes.api.stop(), processes.worker.stop()]);
      await Promise.all(Object.values(parts).map((part) => part.stop()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
