import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVER_PARTS, startTestServers, writeRecord } from './servers/servers.ts';
import { runSuites, type Suite } from './suites.ts';

/**
 * `npm test`: every suite, several at a time, on servers that they share. Names given on the command line choose suites:
 * `npm test -- domain api`. What takes longer has commands of its own: `test:chaos`, `test:fuzz`.
 */

/** More than there are cores: many tests wait, for servers that start, hang and come back. */
const LANES = 4;

/**
 * The suites, those that take longest first. A suite may run as several processes, each with the files named; the last
 * one has all others.
 */
const SUITES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  journey: [
    ['delivery-batches', 'standstill', 'share'],
    ['outages', 'kills', 'mail-trouble'],
    ['metrics', 'tracing', 'logs', 'isolation'],
  ],
  dev: [['launcher', 'doctor']],
  activities: [
    ['worker-log', 'worker-end', 'first-attempts', 'cli', 'steps'],
    ['hand-over-batches', 'relay', 'reconcile'],
  ],
  api: [
    ['idempotency.share', 'matrix', 'mutations', 'planted-members', 'quotes.model'],
    ['hostile-input', 'bad-input', 'auth.throttle', 'auth.timing', 'slow-clients', 'bounded-database'],
  ],
  adapters: [['pdf', 'pdf-renderer', 'pdf-structure', 'pdf-branding', 'pdf-certificate', 'pdf-cost']],
  docs: [],
  browser: [],
  workflows: [],
  db: [],
  domain: [],
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  throw new Error(`no suite ${unknown.join(', ')}; the suites are: ${Object.keys(SUITES).join(', ')}`);
}

const suites: Suite[] = [];
for (const [name, parts] of Object.entries(SUITES)) {
  if (chosen.length === 0 || chosen.includes(name)) suites.push(...(await partsOf(name, parts)));
}
const dataDir = await mkdtemp(join(tmpdir(), 'quoting-test-'));
const [{ servers, services }, compiled] = await Promise.all([
  startTestServers(dataDir, SERVER_PARTS),
  // Our own processes, of which the journeys start a hundred, start twice as fast compiled as from source.
  promisify(execFile)(process.execPath, ['dev/compiled.mjs']),
]);
const record = join(dataDir, 'test-servers.json');
writeRecord(record, servers);
try {
  await runSuites(
    suites.map((suite) => ({ ...suite, env: { TEST_SERVERS: record, TEST_BUILT: compiled.stdout.trim() } })),
    { lanes: LANES },
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
  return [...named, rest].map((files, index) => ({
    name: parts.length === 0 ? name : `${name} ${index + 1}/${named.length + 1}`,
    files: files.map((file) => join(folder, file)),
  }));
}
