import { Client } from 'pg';
import { readDashboard } from '../api/dashboard/read.ts';
import { dashboardPeriod } from '../domain/dashboard-period.ts';
import { openInside, owner } from './lib/inside.ts';
import { longestTurn } from './lib/longest-turn.ts';
import { costs, interleave, times, type Variant } from './lib/measure.ts';
import { atLeast, atMost, type Bench, type Findings, type Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';

/** Goal 8: the dashboard grouped by PostgreSQL, against the same in JavaScript and against the bare sum. */
export const row: Row = {
  name: 'dashboard',
  title: 'the dashboard over 11 000 and over 200 000 quotes',
  quick: true,
  shortfall: `Three walks over quotes are left, each about as dear as count and sum: the period by user, status and day together, the period by client, and the period before. By client is more than a third of PostgreSQL's part: ten thousand sums of exact decimals for a list of five. A table of sums by day would cost a tenth of all, and a lock in every write.`,
  run: measureDashboard,
};

const END = new Date('2026-11-27T00:00:00.000Z');
const DAY_MS = 86_400_000;
/** Days in which so many quotes of the large data set were made. */
const PERIODS = { 'of 11 000': 40, 'of 200 000': 730 } as const;

type InJs = (client: Client, tenant: string, from: Date, until: Date) => Promise<unknown>;

async function measureDashboard(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const database = await databases.shared(bench.quick ? DATA_SETS.smallOne : DATA_SETS.one);
  const { withTenant, close } = openInside(database);
  bench.after(close);
  const ours = (days: number) => {
    const period = dashboardPeriod('month', {
      from: new Date(END.getTime() - days * DAY_MS),
      until: END,
      timeZone: owner.timeZone,
    });
    return withTenant(owner.tenantId, (trx) => readDashboard(trx, owner, period));
  };
  // Our code is compiled as it is used; a server has answered more than one dashboard.
  for (let time = 0; time < 20; time++) await ours(bench.quick ? 730 : 40);
  const turn = await longestTurn(() => ours(730));
  const facts = [
    { what: 'longest iteration of the event loop, two years', value: turn, unit: 'ms CPU', goal: { most: 10 } },
  ];
  if (bench.quick) return { facts };

  // Plain JavaScript, so that the bench can be compiled without it; its one function is typed here.
  const { dashboardInJs } = (await import(new URL('./reference/dashboard-js.mjs', import.meta.url).href)) as {
    dashboardInJs: InJs;
  };
  const client = new Client({ connectionString: database.superUrl });
  await client.connect();
  bench.after(() => client.end());
  const sum = (from: Date) =>
    client.query({
      name: 'count-and-sum',
      text: 'select count(*), sum(total) from quotes where tenant_id = $1 and created_at >= $2 and created_at < $3',
      values: [owner.tenantId, from, END],
    });
  const variants = Object.entries(PERIODS).flatMap(([name, days]): Variant[] => {
    const from = new Date(END.getTime() - days * DAY_MS);
    return [
      { name: `ours, ${name}`, operations: 2, run: async () => void (await ours(days), await ours(days)) },
      {
        name: `in JavaScript, ${name}`,
        operations: 1,
        run: async () => void (await dashboardInJs(client, owner.tenantId, from, END)),
      },
      { name: `count and sum, ${name}`, operations: 2, run: async () => void (await sum(from), await sum(from)) },
    ];
  });
  const samples = await interleave(variants, { rounds: bench.rounds, warm: 2, postgres: databases.pid });
  return {
    samples: [samples],
    ratios: [
      atMost(10, 'cost over 11 000 vs. count and sum', costs(samples, 'ours, of 11 000', 'count and sum, of 11 000')),
      atLeast(2, 'over 11 000, against JavaScript', times(samples, 'ours, of 11 000', 'in JavaScript, of 11 000')),
      atLeast(4, 'over 200 000, against JavaScript', times(samples, 'ours, of 200 000', 'in JavaScript, of 200 000')),
    ],
    facts,
  };
}
