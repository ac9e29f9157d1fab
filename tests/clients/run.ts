import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVER_PARTS, startTestServers, writeRecord } from '../servers/servers.ts';
import { runSuites } from '../suites.ts';

/**
 * `npm run test:clients`: tests of what callers use, with runtimes, languages and generators that are installed into `.tools/` on first use. Names of files choose: `-- runtimes`.
 */
const FOLDER = 'tests/clients';
const given = process.argv.slice(2);
const all = (await readdir(FOLDER)).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? []).toSorted();
const unknown = given.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`no file ${unknown.join(', ')} in ${FOLDER}; the files are: ${all.join(', ')}`);

const built = execFileSync(process.execPath, ['dev/compiled.mjs'], { encoding: 'utf8' }).trim();
const dataDir = await mkdtemp(join(tmpdir(), 'quoting-test-'));
const { servers, services } = await startTestServers(dataDir, SERVER_PARTS);
const record = join(dataDir, 'test-servers.json');
writeRecord(record, servers);
try {
  await runSuites(
    (given.length > 0 ? given : all).map((name) => ({
      name,
      files: [`${FOLDER}/${name}.test.ts`],
      env: { TEST_SERVERS: record },
    })),
    { built, concurrency: 2 },
  );
} finally {
  await services.stop();
  await rm(dataDir, { recursive: true, force: true });
}
