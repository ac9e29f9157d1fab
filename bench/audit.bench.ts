import { listAuditLogs } from '../api/audit-logs/queries.ts';
import { openInside, owner } from './lib/inside.ts';
import { costs, interleave, repeat, type Variant } from './lib/measure.ts';
import { atMost, type Bench, type Findings, type Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';
import { Client } from 'pg';

/** Goal 10: the audit log of a business with a million entries. */
export const row: Row = {
  name: 'audit',
  title: 'the audit log at 1 000 000 entries',
  quick: false,
  run: measureAudit,
};

const ALONE = 'page 1 alone';

async function measureAudit(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const database = await databases.shared(DATA_SETS.one);
  const { withTenant, close } = openInside(database);
  bench.after(close);
  const list = (page: number, limit: number) =>
    withTenant(owner.tenantId, (trx) => listAuditLogs(trx, owner, { page, limit }));
  const client = new Client({ connectionString: database.superUrl });
  await client.connect();
  bench.after(() => client.end());
  const alone = () =>
    client.query({
      name: 'audit-page',
      text: `select a.*, u.name, u.email from (select * from audit_logs where tenant_id = $1 order by created_at desc, id desc limit 25) a
        left join users u on u.tenant_id = a.tenant_id and u.id = a.user_id order by a.created_at desc, a.id desc`,
      values: [owner.tenantId],
    });
  const variants: Variant[] = [
    { name: ALONE, operations: 100, run: () => repeat(100, alone) },
    { name: 'page 1 with its total', operations: 5, run: () => repeat(5, () => list(1, 25)) },
    { name: 'page 1 000 of 100', operations: 3, run: () => repeat(3, () => list(1_000, 100)) },
  ];
  const samples = await interleave(variants, { rounds: bench.rounds, warm: 1, postgres: databases.pid });
  return {
    samples: [samples],
    ratios: [
      atMost(15, 'cost of page 1 with its total vs. the page alone', costs(samples, 'page 1 with its total', ALONE)),
      atMost(
        100,
        'cost of page 1 000 × 100 vs. page 1 with its total',
        costs(samples, 'page 1 000 of 100', 'page 1 with its total'),
      ),
    ],
  };
}
