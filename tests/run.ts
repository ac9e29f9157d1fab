import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVER_PARTS, startTestServers, writeRecord } from './servers/servers.ts';
import { runSuites, type Suite } from './suites.ts';

/**
 * `npm test`: the suites below but for the slow ones, several in parallel, on shared servers. Arguments choose suites:
 * `npm test -- domain api`. `npm run test:system` runs the slow ones; `test:chaos` and `test:fuzz` have runners of their
 * own.
 */

/** Suites at a time, more than there are cores: many tests wait for servers that start, hang and recover. */
const CONCURRENCY = 5;
/** Of the slow ones. Whole installations keep two cores busy: with more of them, calls exceed their time. */
const SLOW_CONCURRENCY = 3;

/**
 * The suites, longest first. A suite may run as several processes, each with the named files; all other files are in
 * the last ones.
 */
const SUITES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  browser: [
    [
      'account-pages',
      'console-business',
      'console-editor',
      'console-flows',
      'console-people',
      'console-quotes',
      'console-records',
      'console-story',
      'docs',
    ],
  ],
  dev: [],
  system: [
    ['launcher', 'watch'],
    ['tenant-commands'],
    ['kills', 'rescheduling'],
    ['delivery-floods', 'paused-worker', 'import-kills'],
    ['outages'],
    ['mail-trouble', 'automation-trouble', 'backup'],
    ['hostile-input'],
    // It compiles copies of the source.
    ['contributing'],
    // These four need two installations with settings of their own.
    ['metrics', 'tracing', 'logs', 'isolation'],
    // Its business must be the only one with its address.
    ['examples'],
  ],
  api: [
    ['idempotency.share', 'matrix', 'mutations', 'planted-members', 'quotes.model'],
    ['bad-input', 'auth.throttle', 'auth.timing', 'slow-clients', 'bounded-database'],
  ],
  journey: [],
  worker: [['outbox-dispatcher', 'dispatcher-calls', 'reconcile']],
  activities: [],
  adapters: [['pdf', 'pdf-renderer', 'pdf-structure', 'pdf-branding', 'pdf-certificate', 'pdf-cost']],
  ops: [],
  db: [],
  workflows: [],
  console: [],
  docs: [],
  domain: [],
};

/**
 * Suites that run only when they are named: they start, stop, kill and observe whole installations or their servers, work in
 * Chromium, or check how the product is developed, released and deployed.
 */
const SLOW: readonly string[] = ['system', 'browser', 'dev'];

/** Processes for the files that are not named, where a single one would still run after all others. */
const LAST_PARTS: Readonly<Record<string, number>> = { api: 2 };

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  throw new Error(`no suite ${unknown.join(', ')}; the suites are: ${Object.keys(SUITES).join(', ')}`);
}

const suites: Suite[] = [];
for (const [name, parts] of Object.entries(SUITES)) {
  if (chosen.length === 0 ? !SLOW.includes(name) : chosen.includes(name)) suites.push(...(await partsOf(name, parts)));
}
const dataDir = await mkdtemp(join(tmpdir(), 'quoting-test-'));
const [{ servers, services }, compiled] = await Promise.all([
  startTestServers(dataDir, SERVER_PARTS),
  // The journeys start a hundred of our own processes, which start twice as fast compiled as from source.
  promisify(execFile)(process.execPath, ['dev/compiled.mjs']),
]);
const record = join(dataDir, 'test-servers.json');
writeRecord(record, servers);
try {
  await runSuites(
    suites.map((suite) => ({ ...suite, env: { TEST_SERVERS: record } })),
    {
      built: compiled.stdout.trim(),
      concurrency: chosen.some((name) => SLOW.includes(name)) ? SLOW_CONCURRENCY : CONCURRENCY,
    },
  );
} finally {
  await services.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function partsOf(name: string, parts: readonly (readonly string[])[]): Promise<Suite[]> {
  const folder = join('tests', name);
  const all = (await readdir(folder)).filter((file) => file.endsWith('.test.ts'));
  const named = parts.map((files) => files.map((file) => `${file}.test.ts`));
  const missing = named.flat().filter((file) => !all.includes(file));
  if (missing.length > 0)
    throw new Error(`tests/run.ts names files that ${folder} does not have: ${missing.join(', ')}`);
  const rest = all.filter((file) => !named.flat().includes(file));
  const count = LAST_PARTS[name] ?? 1;
  const last = Array.from({ length: count }, (_, part) => rest.filter((_file, index) => index % count === part));
  const whole = [...named, ...last].filter((files) => files.length > 0);
  return whole.map((files, index) => ({
    name: whole.length === 1 ? name : `${name} ${index + 1}/${whole.length}`,
    files: files.map((file) => join(folder, file)),
  }));
}
