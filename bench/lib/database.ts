import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { createPasswords } from '../../adapters/crypto/passwords.ts';
import { createSessionCookies } from '../../adapters/crypto/session-cookie.ts';
import { migrate } from '../../db/migrate.ts';
import { claimDataDir } from '../../dev/launcher-record.ts';
import { DATABASE, startPostgres } from '../../dev/postgres.ts';
import { loadSecrets } from '../../dev/secrets.ts';
import { type DataSet, ownerId, seed, sessionId, tenantId } from './seed.ts';

/** A PostgreSQL server of the benches' own, whose seeded databases are kept and copied for each run. */

export const PASSWORD = 'una frase larga';
const DATA_DIR = fileURLToPath(new URL('../../.data/bench', import.meta.url));
const DAY_MS = 86_400_000;

export interface Database {
  readonly set: DataSet;
  /** As the app's role, under row-level security; as the dispatcher's; as a superuser, for peers and for looking. */
  readonly appUrl: string;
  readonly dispatcherUrl: string;
  readonly adminUrl: string;
  readonly superUrl: string;
  /** The header of the n-th business's owner, signed in. */
  readonly cookieOf: (n: number) => Promise<string>;
}

export interface Databases {
  /** Process of the server. */
  readonly pid: number;
  readonly version: string;
  /** A copy of the seeded data that rows share which only read. */
  readonly shared: (set: DataSet) => Promise<Database>;
  /** One for a row that writes. */
  readonly own: (set: DataSet) => Promise<Database>;
  readonly secrets: ReturnType<typeof loadSecrets>;
  readonly stop: () => Promise<void>;
}

export async function openDatabases(say: (line: string) => void): Promise<Databases> {
  // A second run would end this one's server.
  const release = claimDataDir(DATA_DIR);
  const secrets = loadSecrets(DATA_DIR);
  const server = await startPostgres({ dataDir: DATA_DIR });
  const urlFor = (url: string, database: string) => url.replace(new RegExp(`/${DATABASE}$`), `/${database}`);
  const superUrl = (database: string) => `postgres://postgres:${secrets.postgres}@127.0.0.1:${server.port}/${database}`;
  const cookies = createSessionCookies({ secrets: secrets.session, secure: false });
  const copies: string[] = [];
  const sharedOnes = new Map<string, Promise<Database>>();

  const asSuperuser = <T>(database: string, work: (client: Client) => Promise<T>): Promise<T> =>
    connected(superUrl(database), work);

  /** The seeded database of a set; its name holds what it was made of, so that an older one is never taken for it. */
  async function template(set: DataSet): Promise<string> {
    const name = `seed_${set.name}_${await fingerprint(set)}`;
    const known = await asSuperuser('postgres', async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        `select datname from pg_database where datname like 'seed\\_${set.name}\\_%'`,
      );
      const names = rows.map(({ datname }) => datname);
      for (const old of names.filter((other) => other !== name)) await client.query(`drop database ${old}`);
      return names.includes(name);
    });
    if (known) return name;
    say(`${set.name}: seeding ${(set.tenants * set.quotesEach).toLocaleString('en')} quotes, once`);
    const unready = `seeding_${set.name}`;
    await asSuperuser('postgres', async (client) => {
      await client.query(`drop database if exists ${unready}`);
      await client.query(`create database ${unready} owner quoting_owner`);
    });
    const { adminUrl, appUrl, dispatcherUrl } = server;
    await migrate({
      admin: urlFor(adminUrl, unready),
      app: urlFor(appUrl, unready),
      dispatcher: urlFor(dispatcherUrl, unready),
    });
    await asSuperuser(unready, (client) => seed(client, set));
    await asSuperuser('postgres', (client) => client.query(`alter database ${unready} rename to ${name}`));
    return name;
  }

  async function copyOf(set: DataSet): Promise<Database> {
    const source = await template(set);
    const name = `bench_${process.pid}_${copies.length}`;
    await asSuperuser('postgres', (client) =>
      client.query(`create database ${name} template ${source} strategy file_copy owner quoting_owner`),
    );
    copies.push(name);
    await asSuperuser(name, (client) => signIn(client, set));
    const cookieOf = async (n: number) => {
      const ids = { tenantId: tenantId(n), userId: ownerId(n), sessionId: sessionId(n) };
      return `${cookies.name}=${await cookies.seal(ids, new Date(Date.now() + DAY_MS))}`;
    };
    return {
      set,
      appUrl: urlFor(server.appUrl, name),
      dispatcherUrl: urlFor(server.dispatcherUrl, name),
      adminUrl: urlFor(server.adminUrl, name),
      superUrl: superUrl(name),
      cookieOf,
    };
  }

  await asSuperuser('postgres', dropCopies);
  return {
    pid: server.process.pid,
    version: await asSuperuser('postgres', async (client) => {
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]?.server_version ?? '';
    }),
    secrets,
    shared(set) {
      const known = sharedOnes.get(set.name) ?? copyOf(set);
      sharedOnes.set(set.name, known);
      return known;
    },
    own: copyOf,
    async stop() {
      await asSuperuser('postgres', dropCopies);
      await server.stop();
      release();
    },
  };
}

/** One connection for a piece of work. */
export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Sessions and passwords of owners: the first run out, so that the kept data has none. */
async function signIn(client: Client, { tenants }: DataSet): Promise<void> {
  const hash = await createPasswords().hash(PASSWORD, { key: 'bench', wait: 'always' });
  for (let n = 0; n < tenants; n++) {
    await client.query(
      `insert into sessions (id, tenant_id, user_id, expires_at) values ($1, $2, $3, now() + interval '7 days')`,
      [sessionId(n), tenantId(n), ownerId(n)],
    );
    await client.query(`update users set password_hash = $1 where id = $2`, [hash, ownerId(n)]);
  }
  // Else the first requests of the first variant would pay for the copy.
  await client.query('checkpoint');
}

/** Those of this run, and of one that was cut short. */
async function dropCopies(client: Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname like 'bench\\_%'`,
  );
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
}

async function fingerprint(set: DataSet): Promise<string> {
  const migrations = new URL('../../db/migrations/', import.meta.url);
  const files = (await readdir(migrations)).toSorted().map((file) => new URL(file, migrations));
  const hash = createHash('sha256').update(JSON.stringify(set));
  for (const file of [...files, new URL('./seed.ts', import.meta.url)]) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}
