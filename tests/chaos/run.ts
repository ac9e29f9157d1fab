import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { runSuites } from '../suites.ts';

/**
 * `npm run test:chaos`: the long form, file after file; its findings are stored and make `docs/reliability.md`. `-- --short` is the form of continuous integration, with three workers. Names of files choose: `-- faults wipe`; other arguments go to Mocha: `-- faults --grep F5`.
 */
const FOLDER = 'tests/chaos';
/** The longest of the short form first, so that all workers end at about the same time. */
const FIRST: readonly string[] = ['crash-points', 'faults', 'broken', 'crash-points-calls', 'wipe', 'receivers'];
/** Run alone after the rest, because without faults no call may have to be repeated. */
const ALONE: readonly string[] = ['calm', 'scaled-out'];
/** Half an hour long, waiting for minutes, filling a disk, in need of the whole machine, or of a former version's packages. */
const LONG_ONLY: readonly string[] = ['soak', 'clock', 'full-disk', 'starved', 'rolling', 'hostile-tenant', 'upgrade'];
const REPORT = 'docs/reliability.jsonl';

const given = process.argv.slice(2);
const long = !given.includes('--short');
const all = (await readdir(FOLDER)).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? []).toSorted();
const chosen = given.filter((one) => all.includes(one));
const options = given.filter((one) => one !== '--short' && !all.includes(one));

// Tests the installed form, which also starts several times faster than the source.
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
const built = resolve('dist');

const suites = (chosen.length > 0 ? chosen : all.filter((name) => long || !LONG_ONLY.includes(name))).map((name) => ({
  name,
  files: [`${FOLDER}/${name}.test.ts`],
  env: { CHAOS_FORM: long ? 'long' : 'short', ...(long && { CHAOS_REPORT: REPORT }) },
  options,
  minutes: long ? 120 : 20,
}));
/** The position of a suite in the order. */
const rank = ({ name }: { name: string }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
const isAlone = ({ name }: { name: string }) => ALONE.includes(name);
const beside = suites.filter((suite) => !isAlone(suite));
await (long
  ? runSuites(suites, { built, concurrency: 1 })
  : runSuites(
      beside.toSorted((a, b) => rank(a) - rank(b)),
      { built, concurrency: 3, alone: suites.filter(isAlone) },
    ));
// A run with a finding has its line too.
if (long) execFileSync(process.execPath, ['--import', 'tsx', `${FOLDER}/write-report.ts`], { stdio: 'inherit' });
