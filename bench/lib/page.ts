import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../dev/problem.ts';
import { picture } from './picture.ts';
import { type Machine, type Reported, text } from './report.ts';

/** docs/performance.md and what it is made of: each row's last run; a run of some rows keeps the others. */

const JSON_FILE = new URL('../../docs/performance.json', import.meta.url);
const PAGE = new URL('../../docs/performance.md', import.meta.url);
const PICTURE = new URL('../../docs/performance.svg', import.meta.url);

interface Kept {
  readonly machine: Machine;
  readonly rows: readonly (Reported & { readonly machine: Machine; readonly day: string })[];
}

export async function keep(machine: Machine, reported: readonly Reported[], order: readonly string[]): Promise<void> {
  const known = new Map((await read()).map((row) => [row.name, row]));
  const day = new Date().toISOString().slice(0, 10);
  for (const row of reported) known.set(row.name, { ...plain(row), machine, day });
  const rows = order.flatMap((name) => known.get(name) ?? []);
  await writeFile(JSON_FILE, `${JSON.stringify({ machine, rows } satisfies Kept, null, 2)}\n`);
  await writeFile(PICTURE, picture(rows));
  await writeFile(PAGE, page(rows));
  execFileSync('npx', ['oxfmt', fileURLToPath(PAGE)]);
}

async function read(): Promise<Kept['rows']> {
  try {
    // Only this file writes it. Samples are pairs in it, of which a Map is made where they are shown.
    return (JSON.parse(await readFile(JSON_FILE, 'utf8')) as Kept).rows;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Maps do not survive JSON; lists of pairs do. */
const plain = (row: Reported): Reported => {
  const { samples, ...findings } = row.findings;
  // The type says Map where JSON has pairs; either can be made into a Map again, which is all that is done with it.
  const pairs = samples?.map((map) => [...map]) as unknown as Reported['findings']['samples'];
  return { ...row, findings: { ...findings, ...(pairs && { samples: pairs }) } };
};

const page = (rows: Kept['rows']): string => `# Performance

Written by \`npm run bench\`. Every claim is a ratio between two candidates that ran alternately in one run on one machine: repeat it
on yours. Costs are CPU time of our processes and of PostgreSQL as counted by the kernel, because wall time depends on other load.
"× 2" means that the candidate named first costs half. A ratio's spread is the range over its rounds.

![Measured ratios against their goals](performance.svg)

${[...new Set(rows.map(({ machine }) => describe(machine)))].join('\n')}

${rows.map((row) => text({ ...row, findings: withMaps(row.findings) })).join('\n')}`;

const withMaps = ({ samples, ...findings }: Reported['findings']): Reported['findings'] => ({
  ...findings,
  ...(samples && { samples: samples.map((pairs) => new Map(pairs)) }),
});

const describe = ({ cores, cpu, memoryGiB, node, postgres, kernel }: Machine): string =>
  `Machine: ${cores} cores (${cpu}), ${memoryGiB} GiB, Linux ${kernel}, Node ${node}, PostgreSQL ${postgres}. Clients, servers and database share it.`;
