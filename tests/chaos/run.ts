import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { runSuites } from '../suites.ts';

/**
 * `npm run test:chaos`: the long form, file after file, whose findings are kept and make `docs/reliability.md`.
 * `-- --short` is the form of continuous integration, in three lanes. Names of files choose: `-- faults wipe`; what is not
 * a name goes to Mocha: `-- faults --grep F5`.
 */
const FOLDER = 'tests/chaos';
/** The longest of the short form begin first, so that all lanes end at about the same time. */
const FIRST: readonly string[] = ['crash-points', 'faults', 'broken', 'crash-points-calls', 'wipe', 'receivers'];
/** Where nothing goes wrong no call may have to be repeated: on a machine of their own, once the rest is through. */
const ALONE: readonly string[] = ['calm', 'scaled-out'];
/** Files that take half an hour, wait for minutes of the clock, fill a disk, or must run alone. */
const LONG_ONLY: readonly string[] = ['soak', 'clock', 'full-disk', 'starved', 'rolling', 'hostile-tenant'];
const REPORT = 'docs/reliability.jsonl';

const given = process.argv.slice(2);
const long = !given.includes('--short');
const all = (await readdir(FOLDER)).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? []).toSorted();
const chosen = given.filter((one) => all.includes(one));
const options = given.filter((one) => one !== '--short' && !all.includes(one));

// What is killed is what is installed, which also starts several times faster than its source does.
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

const suites = (chosen.length > 0 ? chosen : all.filter((name) => long || !LONG_ONLY.includes(name))).map((name) => ({
  name,
  files: [`${FOLDER}/${name}.test.ts`],
  env: { TEST_BUILT: resolve('dist'), CHAOS_FORM: long ? 'long' : 'short', ...(long && { CHAOS_REPORT: REPORT }) },
  options,
  minutes: long ? 60 : 20,
}));
/** The place of a suite in the queue. */
const rank = ({ name }: { name: string }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
const isAlone = ({ name }: { name: string }) => ALONE.includes(name);
const beside = suites.filter((suite) => !isAlone(suite));
await (long
  ? runSuites(suites, { lanes: 1 })
  : runSuites(
      beside.toSorted((a, b) => rank(a) - rank(b)),
      { lanes: 3, alone: suites.filter(isAlone) },
    ));
// A run that found something wrong has its line too.
if (long) execFileSync(process.execPath, ['--import', 'tsx', `${FOLDER}/write-report.ts`], { stdio: 'inherit' });
