import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Client as PostgresClient } from 'pg';
import { startInbox } from '../dev/inbox/inbox.ts';
import { runMigrations } from '../dev/migrations.ts';
import { startPostgres } from '../dev/postgres.ts';
import { startBackingServices } from '../dev/stack.ts';
import { startStorage } from '../dev/storage.ts';
import { startTemporal } from '../dev/temporal.ts';
import { httpClient } from './api/service.ts';
import { type OwnProcess, startOwnProcess } from './own-process.ts';

/**
 * The whole service as it is installed somewhere: its two processes and the four servers behind them, each of which a
 * test may take away and bring back.
 */
export type Installation = Awaited<ReturnType<typeof install>>;

type Settings = Readonly<Record<string, string>>;

export interface InstallOptions {
  /** Folder of the source that the two processes run from; default: this one. */
  readonly root?: string;
  /** Settings of the two processes beside those of the test profile, which it is given. */
  readonly settings?: Settings | ((env: Settings) => Promise<Settings>);
  /** What only one of the two processes is started with. */
  readonly apart?: Readonly<Partial<Record<'api' | 'worker', Apart>>>;
}

export interface Apart {
  readonly settings?: Settings;
  /** Node's own flags. */
  readonly node?: readonly string[];
}

/** Starts all of it. What had begun is stopped again when a part does not start. */
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
  // Twenty shares at once are what a journey does, and what a limit would stop.
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
    const entry = name === 'api' ? 'api/main.ts' : 'activities/worker.ts';
    const own = await startOwnProcess(entry, { ...env, ...apart[name]?.settings }, { root, node: apart[name]?.node });
    begun.push(own);
    return own;
  };
  const starting = [startOwn('api'), startOwn('worker')] as const;
  // If one fails, the other is to be stopped with the rest: not before it has started.
  await Promise.allSettled(starting);
  const [api, worker] = await Promise.all(starting);
  // What runs now; a restart replaces the entry.
  const parts: { postgres: typeof postgres; temporal: typeof temporal; storage: typeof storage; inbox: typeof inbox } =
    { postgres, temporal, storage, inbox };
  const processes: { api: OwnProcess; worker: OwnProcess } = { api, worker };
  const connection = Connection.lazy({ address: parts.temporal.address });

  return {
    dataDir,
    env,
    parts,
    processes,
    http: httpClient(services.apiUrl),
    temporal: new TemporalClient({ connection, namespace: env['TEMPORAL_NAMESPACE'] ?? 'default' }),

    /** Rows of the database, seen by the owner of its tables, over all tenants. */
    async rows(sql: string, ...values: readonly unknown[]): Promise<Record<string, unknown>[]> {
      const client = new PostgresClient({ connectionString: parts.postgres.adminUrl });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
      } finally {
        await client.end();
      }
    },

    async startApi(): Promise<void> {
      processes.api = await startOwn('api');
    },
    async startWorker(): Promise<void> {
      processes.worker = await startOwn('worker');
    },
    // Each on its old data and under its old address, as after a crash.
    async startPostgres(): Promise<void> {
      parts.postgres = await startPostgres({ dataDir, port: parts.postgres.port });
    },
    async startTemporal(): Promise<void> {
      parts.temporal = await startTemporal({ dataDir, port: ports.temporal, headless: true });
    },
    /** Ends it at once and takes all that it knew away. */
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
      await Promise.all([processes.api.stop(), processes.worker.stop()]);
      await Promise.all(Object.values(parts).map((part) => part.stop()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
