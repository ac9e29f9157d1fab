import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../dev/problem.ts';
import { type Callers, openCallers, type Request } from './lib/callers.ts';
import { checkOut, isUnchanged, resolveCommit } from './lib/commit.ts';
import { connected } from './lib/database.ts';
import { costs, interleave, interval95, median, type Samples, type Variant } from './lib/measure.ts';
import { digits, loadNow, samplesTable, table } from './lib/report.ts';
import { openRevision, type Revision } from './lib/revision.ts';
import { meets } from './lib/row.ts';
import { countStatements } from './lib/statements.ts';

/** Fewer do not bound a median with a probability of 95 %. */
const MIN_ROUNDS = 6;
const GOAL = 1.1;
/** By which two runs of the same code may differ in rows read: plans follow PostgreSQL's random samples (142 and 145 were seen). */
const ROWS_NOISE = 1.05;
/** Wider than any noise: the same code that differs by more is not measured alike. */
const SAME = { least: 0.7, most: 1.4 } as const;
const TENANTS = 20;
const CLIENTS_EACH = 20;
const QUOTES = 1_000;
const REQUESTS_PER_ROUND = 320;
const OPERATIONS = { create: { callers: 16, status: 201 }, list: { callers: 8, status: 200 } } as const;
type Operation = keyof typeof OPERATIONS;
const [NOW, THEN] = ['now', 'then'];

interface AgainstOptions {
  readonly commit: string;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

/** Each adds how to undo what it did; run last first. */
type Closers = (() => Promise<unknown> | void)[];

/**
 * Measures this working tree and a commit alternately: creating a quote with five lines, and a page of the list.
 * Returns whether the working tree takes more statements or reads more rows. Times fail nothing, because other load
 * changes them.
 */
export async function compareWith({ commit, rounds, say }: AgainstOptions): Promise<boolean> {
  if (!(rounds >= MIN_ROUNDS)) throw new Problem(`--against takes ${MIN_ROUNDS} rounds or more`);
  const hash = resolveCommit(commit);
  const folder = await mkdtemp(path.join(tmpdir(), 'quoting-against-'));
  const closers: Closers = [() => rm(folder, { recursive: true })];
  const data = (name: string) => path.join(folder, `${name}-data`);
  try {
    say(`installing and building ${hash.slice(0, 7)}, then the working tree`);
    const source = checkOut(hash, path.join(folder, THEN));
    const then = await openSide(THEN, await openRevision(data(THEN), source), closers);
    const now = await openSide(NOW, await openRevision(data(NOW)), closers);
    // One operation after the other: among four variants, one would always follow itself at the turn of the order.
    const compare = (operation: Operation) =>
      interleave([now.variants[operation], then.variants[operation]], { rounds, warm: 4 });
    const samples: Samples = new Map([...(await compare('create')), ...(await compare('list'))]);
    const lines = (['create', 'list'] as const).map((operation) => {
      const ratios = costs(samples, labelOf(operation, NOW), labelOf(operation, THEN));
      const [ratio, [low, high]] = [median(ratios), interval95(ratios)];
      const [ours, theirs] = [now.counts[operation], then.counts[operation]];
      return {
        ratio,
        isMore: ours.statements > theirs.statements || ours.rows > theirs.rows * ROWS_NOISE,
        cells: [
          operation,
          `× ${digits(ratio)}`,
          `${digits(low)} – ${digits(high)}`,
          high <= GOAL ? 'met' : '**missed**',
          `${ours.statements}, before ${theirs.statements}`,
          `${digits(ours.rows)}, before ${digits(theirs.rows)}`,
        ],
      };
    });
    const head = ['', 'CPU', '95 % interval', `≤ ${GOAL}`, 'statements', 'rows read'];
    say(`## the working tree against ${hash.slice(0, 7)}, ${rounds} rounds\n`);
    const cells = lines.map((line) => line.cells);
    say([...table(head, cells), ...samplesTable(samples), `Load ${loadNow()}.`].join('\n'));
    if (isUnchanged(hash) && !lines.every(({ ratio }) => meets(ratio, SAME)))
      throw new Problem('the same code differs from itself: the comparison is wrong');
    return lines.some(({ isMore }) => isMore);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

interface Side {
  readonly variants: Readonly<Record<Operation, Variant>>;
  /** Per request. */
  readonly counts: Readonly<Record<Operation, { readonly statements: number; readonly rows: number }>>;
}

const labelOf = (operation: Operation, side: string): string => `${operation}, ${side}`;

/** Seeds the database through the API, counts, and starts the API that is measured. */
async function openSide(name: string, revision: Revision, closers: Closers): Promise<Side> {
  closers.push(revision.stop);
  const tenants = await withApi(revision, async (url) => {
    const registered: Tenant[] = [];
    for (let n = 0; n < TENANTS; n++) registered.push(await register(url, n));
    await withCallers(url, registered, 'create', (callers) => callers.send(QUOTES));
    return registered;
  });
  await connected(revision.superUrl, (client) => client.query('vacuum analyze'));
  const countsOf = async (operation: Operation) => ({
    statements: await statementsOf(revision, tenants, operation),
    rows: await rowsOf(revision, tenants, operation),
  });
  const counts = { create: await countsOf('create'), list: await countsOf('list') };

  const api = await revision.startApi();
  closers.push(api.stop);
  const variant = (operation: Operation): Variant => {
    const callers = calling(api.url, tenants, operation, OPERATIONS[operation].callers);
    closers.push(callers.close);
    return {
      name: labelOf(operation, name),
      operations: REQUESTS_PER_ROUND,
      pids: [api.pid],
      postgres: revision.postgres,
      run: async () => void (await callers.send(REQUESTS_PER_ROUND)),
    };
  };
  return { variants: { create: variant('create'), list: variant('list') }, counts };
}

/** Of the second request on one connection, for the first prepares statements. */
async function statementsOf(revision: Revision, tenants: readonly Tenant[], operation: Operation): Promise<number> {
  const counter = await countStatements(revision);
  try {
    return await withApi(
      revision,
      (url) => withCallers(url, tenants, operation, (callers) => counter.of(() => callers.send(1))),
      counter.database.appUrl,
    );
  } finally {
    counter.close();
  }
}

/** Of all tables. A session of PostgreSQL reports what it read when it ends; what a start reads cancels out. */
async function rowsOf(revision: Revision, tenants: readonly Tenant[], operation: Operation): Promise<number> {
  const readBy = async (requests: number) => {
    const before = await rowsRead(revision);
    await withApi(revision, (url) => withCallers(url, tenants, operation, (callers) => callers.send(requests)));
    return (await rowsRead(revision)) - before;
  };
  const few = await readBy(TENANTS);
  return ((await readBy(3 * TENANTS)) - few) / (2 * TENANTS);
}

/** Since the server has data; waits until the API's sessions have ended. */
const rowsRead = ({ superUrl }: Revision): Promise<number> =>
  connected(superUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ sessions: number; read: number }>(
        `select (select count(*)::int from pg_stat_activity where usename = 'quoting_app') as sessions,
           sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float as read from pg_stat_user_tables`,
      );
      if (rows[0]?.sessions === 0) return rows[0].read;
      await sleep(50);
    }
  });

async function withApi<T>(revision: Revision, work: (url: string) => Promise<T>, appUrl?: string): Promise<T> {
  const api = await revision.startApi(appUrl);
  try {
    return await work(api.url);
  } finally {
    await api.stop();
  }
}

async function withCallers<T>(
  url: string,
  tenants: readonly Tenant[],
  operation: Operation,
  work: (callers: Callers) => Promise<T>,
): Promise<T> {
  const callers = calling(url, tenants, operation, 1);
  try {
    return await work(callers);
  } finally {
    await callers.close();
  }
}

interface Tenant {
  readonly headers: Readonly<Record<string, string>>;
  readonly clients: readonly string[];
}

async function register(url: string, n: number): Promise<Tenant> {
  const account = { businessName: `Negocio ${n}`, name: 'Diana', email: `u${n}@negocio.example` };
  const { headers } = await post(`${url}/api/auth/register`, { ...account, password: 'una frase larga' });
  const cookie = headers
    .getSetCookie()
    .map((value) => value.split(';')[0])
    .join('; ');
  const clients: string[] = [];
  for (let k = 0; k < CLIENTS_EACH; k++) {
    const made = await post(
      `${url}/api/clients`,
      { contactName: `Cliente ${k}`, email: `c${k}@cliente.example` },
      { cookie },
    );
    clients.push(made.id);
  }
  return { headers: { cookie }, clients };
}

async function post(
  url: string,
  body: object,
  { cookie = '', triesLeft = 20 } = {},
): Promise<{ readonly headers: Headers; readonly id: string }> {
  const headers = { 'content-type': 'application/json', cookie };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  // A busy machine refuses some.
  if (response.status === 503 && triesLeft > 0) {
    await sleep(500);
    return post(url, body, { cookie, triesLeft: triesLeft - 1 });
  }
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${text}`);
  return { headers: response.headers, id: String(JSON.parse(text).id) };
}

function calling(url: string, tenants: readonly Tenant[], operation: Operation, callers: number): Callers {
  const items = Array.from({ length: 5 }, () => ({ productName: 'Silla ejecutiva', unitPrice: 100, quantity: 2 }));
  const request = (n: number): Request => {
    const { headers = {}, clients = [] } = tenants[n % TENANTS] ?? {};
    if (operation === 'list') return { path: '/api/quotes', headers };
    return {
      method: 'POST',
      path: '/api/quotes',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ clientId: clients[n % CLIENTS_EACH], items }),
    };
  };
  return openCallers(url, { callers, expect: OPERATIONS[operation].status, request });
}
