import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALLOCATOR } from '../../dev/memory.ts';
import { freePort } from '../../dev/ports.ts';
import { DATABASE, startPostgres } from '../../dev/postgres.ts';
import { loadSecrets } from '../../dev/secrets.ts';
import { startTemporal } from '../../dev/temporal.ts';
import { QUIET, ROOT } from './commit.ts';
import { connected } from './database.ts';
import { type ServerUnderTest, settingsFor } from './processes.ts';

/**
 * A revision of the product on a database server of its own. Of its code it uses only what every revision has: the
 * scripts `build`, `migrate` and `start:api`, and their settings.
 */
export interface Revision {
  readonly appUrl: string;
  /** As a superuser, in the product's database. */
  readonly superUrl: string;
  /** Process of the PostgreSQL server. */
  readonly postgres: number;
  /** Starts the API; `appUrl` may lead through a counter. */
  readonly startApi: (appUrl?: string) => Promise<ServerUnderTest>;
  readonly stop: () => Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;

/** Builds the revision in `folder` (default: this working tree) and migrates a new database below `dataDir`. */
export async function openRevision(dataDir: string, folder = ROOT): Promise<Revision> {
  const script = scriptsOf(folder);
  script('build');
  const secrets = loadSecrets(dataDir);
  const server = await startPostgres({ dataDir });
  const superUrl = server.superuserUrl.replace(/postgres$/, DATABASE);
  const { DATABASE_DISPATCHER_URL, ...settings } = settingsFor({ secrets }, server);
  const env = {
    ...settings,
    SIGNUP_PLAN: 'PRO',
    ...(readFileSync(path.join(folder, '.env.example'), 'utf8').includes('DATABASE_RELAY_URL=')
      ? // The former name of the setting and the role.
        { DATABASE_RELAY_URL: DATABASE_DISPATCHER_URL.replace('dispatcher', 'relay') }
      : { DATABASE_DISPATCHER_URL }),
  };
  try {
    const temporal = await startTemporal({ dataDir, headless: true });
    try {
      script('migrate', { ...env, DATABASE_ADMIN_URL: server.adminUrl, TEMPORAL_ADDRESS: temporal.address });
    } finally {
      await temporal.stop();
    }
    // It would run at different times in the two servers.
    await connected(superUrl, (client) => client.query('alter system set autovacuum = off'));
    await connected(superUrl, (client) => client.query('select pg_reload_conf()'));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    appUrl: server.appUrl,
    superUrl,
    postgres: server.process.pid,
    startApi: (appUrl = server.appUrl) => startApi(folder, { ...env, DATABASE_URL: appUrl }),
    stop: server.stop,
  };
}

/** Runs scripts of that folder's package. */
function scriptsOf(folder: string) {
  return (name: string, env: Readonly<Record<string, string>> = {}): void => {
    execFileSync('npm', ['run', '--silent', name], { cwd: folder, stdio: QUIET, env: { ...process.env, ...env } });
  };
}

/** The command of `start:api` without npm, whose process would be the one that is measured. */
async function startApi(folder: string, env: Readonly<Record<string, string>>): Promise<ServerUnderTest> {
  const { scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const port = String(await freePort());
  const child = spawn('sh', ['-c', `exec ${scripts['start:api']}`], {
    cwd: folder,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...ALLOCATOR, ...env, PORT: port },
    stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await isUp(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`the API of ${folder} did not start`);
    }
    await sleep(100);
  }
  return { pid: child.pid ?? 0, url, stop };
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
