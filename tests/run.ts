import { runLanes } from './lanes.ts';

/**
 * `npm test`: every suite in two lanes. Names given on the command line choose suites: `npm test -- domain api`. What
 * takes longer has commands of its own: `test:chaos`, `test:fuzz`.
 */
const LANES = [
  ['domain', 'adapters', 'workflows', 'db', 'activities', 'api'],
  ['journey', 'browser', 'dev', 'docs'],
] as const;

const chosen = process.argv.slice(2);
const suites: readonly string[] = LANES.flat();
const unknown = chosen.filter((name) => !suites.includes(name));
if (unknown.length > 0) throw new Error(`no suite ${unknown.join(', ')}; the suites are: ${suites.join(', ')}`);

await runLanes(
  LANES.map((lane) =>
    lane
      .filter((name) => chosen.length === 0 || chosen.includes(name))
      .map((name) => ({ name, files: [`tests/${name}/**/*.test.ts`] })),
  ),
);
