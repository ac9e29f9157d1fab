import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './ports.ts';
import { postgresAccount, postgresHome, reachableCluster } from './postgres-binaries.ts';
import { makeCluster, serverEnv } from './postgres-cluster.ts';
import { codeOf, messageOf, Problem } from './problem.ts';
import { endLeftover } from './process-table.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { type ServerProcess, startServer, untilReady } from './server-process.ts';

/** An embedded PostgreSQL server on the loopback address. */

export interface PostgresOptions {
  /** The stack's data folder; the cluster lies in its `postgres`. */
  readonly dataDir: string;
  readonly port?: number;
  /** Whether commits wait for the disk. False only where losing the data does not matter: tests. */
  readonly fsync?: boolean;
  /** The migrated cluster to copy for new data (`postgres-template.ts`). Default: new data are empty. */
  readonly template?: string | undefined;
}

export interface Postgres {
  readonly port: number;
  /** As quoting_owner: owns the database and may create roles, but is no superuser. */
  readonly adminUrl: string;
  /** As quoting_app, a role that the migrations create with this password. */
  readonly appUrl: string;
  /** As quoting_dispatcher, likewise. */
  readonly dispatcherUrl: string;
  /** As postgres, in the database of the same name. */
  readonly superuserUrl: string;
  /** The cluster's files. */
  readonly dataFolder: string;
  readonly isNew: boolean;
  readonly process: ServerProcess;
  readonly stop: () => Promise<void>;
}

export const DATABASE = 'quoting';

/** How long sessions of a killed server may take to notice it and end. */
const SESSIONS_END_MS = 15_000;
/** PostgreSQL's message while such sessions exist. */
const SESSIONS_REMAIN = 'pre-existing shared memory block';

/**
 * Starts the server on its stored data, or creates the data first: superuser `postgres`, and the database `quoting`
 * with its owner. Works as root (under another account), as an ordinary user, in an inaccessible checkout and with any
 * umask, and ends a server that a killed launcher left behind.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { fsync = true, template } = options;
  const dataDir = path.resolve(options.dataDir);
  const secrets = loadSecrets(dataDir);
  const account = postgresAccount();
  const home = postgresHome(account);
  const cluster = reachableCluster(path.join(dataDir, 'postgres'), secrets.dataId, account);

  const isNew = !fs.existsSync(path.join(cluster, 'PG_VERSION'));
  if (isNew) await makeCluster({ home, cluster, account, password: secrets.postgres, fsync, template });
  await endOrphan(cluster);

  const port = options.port ?? (await freePort()); // the server itself refuses port 0
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'max_connections=200',
    ...(fsync ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  const server = await startOnceReleased(cluster, () =>
    startServer({
      name: 'postgres',
      dataDir,
      command: path.join(home, 'bin', 'postgres'),
      args: ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])],
      mark: cluster,
      env: serverEnv,
      cwd: '/',
      ...account,
      stopSignal: 'SIGINT', // "fast": ends sessions, then shuts down cleanly
    }),
  );
  try {
    await makeDatabase(port, secrets);
  } catch (error) {
    await server.stop();
    throw error;
  }

  const urlFor = (role: string, password: string, database = DATABASE) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  return {
    port,
    adminUrl: urlFor('quoting_owner', secrets.owner),
    appUrl: urlFor('quoting_app', secrets.app),
    dispatcherUrl: urlFor('quoting_dispatcher', secrets.dispatcher),
    superuserUrl: urlFor('postgres', secrets.postgres, 'postgres'),
    dataFolder: cluster,
    isNew,
    process: server,
    stop: () => server.stop(),
  };
}

/** A server whose launcher was killed still holds the cluster. Its pid file counts only if the command line matches. */
async function endOrphan(cluster: string): Promise<void> {
  const pid = Number(readPidFile(cluster)[0]);
  if (pid > 0) await endLeftover(pid, cluster, 'SIGINT', 15_000);
}

/**
 * Starts the server and waits until it is ready. Sessions of a killed server end by themselves after a moment; until
 * then the start is refused and retried.
 */
async function startOnceReleased(cluster: string, start: () => Promise<ServerProcess>): Promise<ServerProcess> {
  const deadline = Date.now() + SESSIONS_END_MS;
  for (;;) {
    const server = await start();
    try {
      await untilReady(server, () => isReady(server.pid, cluster));
      return server;
    } catch (error) {
      // Its sessions write to the same log as they end.
      if (!server.lastLines(500).includes(SESSIONS_REMAIN) || Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

/** Line 1 of the pid file is the pid, line 8 the state, for which pg_ctl waits too. */
function isReady(pid: number, cluster: string): boolean {
  const lines = readPidFile(cluster);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function readPidFile(cluster: string): string[] {
  try {
    return fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Creates the owner and its database. Idempotent: the passwords of our roles follow the secrets. */
async function makeDatabase(port: number, secrets: Secrets): Promise<void> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: secrets.postgres,
    database: 'postgres',
  });
  try {
    await client.connect();
    const passwords = {
      quoting_owner: secrets.owner,
      quoting_app: secrets.app,
      quoting_dispatcher: secrets.dispatcher,
    };
    const { rows } = await client.query<{ roles: string[]; database: boolean }>(
      `select array(select rolname::text from pg_roles where rolname = any($2)) as roles,
              exists (select from pg_database where datname = $1) as database`,
      [DATABASE, Object.keys(passwords)],
    );
    const roles = rows[0]?.roles ?? [];
    if (!roles.includes('quoting_owner')) {
      await client.query('create role quoting_owner login createrole nosuperuser nocreatedb nobypassrls');
    }
    // The migrations create the other two.
    for (const role of new Set(['quoting_owner', ...roles])) {
      const password = passwords[role as keyof typeof passwords]; // the query asks for these names only
      await client.query(`alter role ${role} password ${client.escapeLiteral(password)}`);
    }
    if (!rows[0]?.database) await client.query(`create database ${DATABASE} owner quoting_owner`);
  } catch (error) {
    if (codeOf(error) !== '28P01') throw error;
    throw new Problem(
      `La contraseña de PostgreSQL ya no está en secrets.json (${messageOf(error)}): npm run reset empieza de nuevo.`,
    );
  } finally {
    await client.end();
  }
}
