import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { runSuites } from '../suites.ts';

/**
 * `npm run test:chaos`: the long form, file after file; its findings are stored and make `docs/reliability.md`. `-- --short` is the form of continuous integration, with three workers. Names of files choose: `-- faults wipe`; other arguments go to Mocha: `-- faults --grep F5`.
 */
const FOLDER = 'tests/chaos';
/** The longest of the short form first, so that all workers end at about the same time. */
const FIRST: readonly string[] = ['crash-points', 'faults', 'quiet', 'crash-points-calls', 'broken', 'lines'];
/** Run alone after the rest, because without faults no call may have to be repeated. */
const ALONE: readonly string[] = ['calm', 'scaled-out'];
/** Files that share an installation in the short form, in an order in which what one leaves does not disturb the next. */
const SHARED: readonly (readonly string[])[] = [
  ['quiet', 'receivers', 'rescheduling', 'expiring', 'receivers-crowd', 'delivery-flood'],
  ALONE,
];
/** Half an hour long, waiting for minutes, filling a disk, in need of the whole machine, or of a former version's packages. */
const LONG_ONLY: readonly string[] = ['soak', 'clock', 'full-disk', 'starved', 'rolling', 'hostile-tenant', 'upgrade'];
const REPORT = 'docs/reliability.jsonl';

const given = process.argv.slice(2);
const long = !given.includes('--short');
const all = (await readdir(FOLDER)).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? []).toSorted();
const chosen = given.filter((one) => all.includes(one));
const options = given.filter((one) => one !== '--short' && !all.includes(one));

// Our own processes start several times faster compiled than from source.
const built = execFileSync(process.execPath, ['dev/compiled.mjs'], { encoding: 'utf8' }).trim();

const names = chosen.length > 0 ? chosen : all.filter((name) => long || !LONG_ONLY.includes(name));
const shared = long ? [] : SHARED.map((group) => group.filter((name) => names.includes(name)));
const apart = names.filter((name) => !shared.flat().includes(name)).map((name) => [name]);
const suites = [...apart, ...shared.filter((group) => group.length > 0)].map((group) => ({
  name: group.length > 1 ? `${group[0]} and ${group.length - 1} more` : String(group[0]),
  files: group.map((name) => `${FOLDER}/${name}.test.ts`),
  env: { CHAOS_FORM: long ? 'long' : 'short', ...(long && { CHAOS_REPORT: REPORT }) },
  options,
  minutes: long ? 120 : 20 * group.length,
}));
/** The position of a suite in the order, by its first file. */
const rank = ({ name }: { name: string }) => {
  const index = FIRST.indexOf(name.split(' ')[0] ?? '');
  return index === -1 ? FIRST.length : index;
};
const isAlone = ({ name }: { name: string }) => ALONE.some((alone) => name.startsWith(alone));
const beside = suites.filter((suite) => !isAlone(suite));
await (long
  ? runSuites(suites, { built, concurrency: 1 })
  : runSuites(
      beside.toSorted((a, b) => rank(a) - rank(b)),
      { built, concurrency: 3, alone: suites.filter(isAlone) },
    ));
// A run with a finding has its line too.
if (long) execFileSync(process.execPath, ['--import', 'tsx', `${FOLDER}/write-report.ts`], { stdio: 'inherit' });
