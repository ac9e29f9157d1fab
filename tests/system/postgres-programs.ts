import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { postgresAccount } from '../../dev/postgres-binaries.ts';
import { freePort } from '../../dev/ports.ts';
import { eventually } from '../eventually.ts';
import { ensurePrograms } from '../docs/programs.ts';

/**
 * A complete PostgreSQL installation with pg_dump, which the embedded one lacks and which must not be older than its
 * server. Installed if missing, when root runs the tests on Debian or Ubuntu.
 */
export function postgresPrograms(): string {
  ensurePrograms({
    name: 'pg_dump and initdb of PostgreSQL 15 or later',
    debianPackage: 'postgresql',
    purpose: 'try backup and restore',
    isThere: () => newest() !== undefined,
  });
  const found = newest();
  if (!found) throw new Error('PostgreSQL was found and then was not');
  return found;
}

const FOLDERS = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];

function newest(): string | undefined {
  const homes = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).flatMap((name) => {
      const version = Number(/^(?:postgresql@)?(\d+)$/.exec(name)?.[1]);
      const bin = join(folder, name, 'bin');
      return version >= 15 && existsSync(join(bin, 'pg_dump')) && existsSync(join(bin, 'initdb'))
        ? [{ version, bin }]
        : [];
    }),
  );
  return homes.toSorted((a, b) => b.version - a.version)[0]?.bin;
}

export interface Server extends AsyncDisposable {
  /** As its superuser, to that database. */
  readonly url: (database: string, user?: string) => string;
  readonly query: (sql: string, database?: string) => Promise<readonly Record<string, unknown>[]>;
}

/** An empty server with only a superuser, on loopback. */
export async function emptyServer(bin: string): Promise<Server> {
  const { uid, gid } = postgresAccount();
  const owner = uid === undefined || gid === undefined ? {} : { uid, gid };
  const folder = mkdtempSync(join(tmpdir(), 'quoting-backup-'));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const cluster = join(folder, 'data');
  execFileSync(
    join(bin, 'initdb'),
    ['-D', cluster, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    owner,
  );
  const port = await freePort();
  const settings = ['-D', cluster, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'];
  const server = spawn(join(bin, 'postgres'), settings, { ...owner, stdio: 'ignore' });
  const closed = once(server, 'close');

  const url = (database: string, user = 'postgres') => `postgres://${user}:secreto@127.0.0.1:${port}/${database}`;
  const query = async (sql: string, database = 'postgres') => {
    const client = new Client({ connectionString: url(database) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  await eventually(() => query('select 1'));
  return {
    url,
    query,
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
