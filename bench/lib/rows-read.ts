import type { Client } from 'pg';
import { connect } from '../../db/database.ts';
import { createWithTenant, type TenantTransaction } from '../../db/with-tenant.ts';
import type { PipelinedRead } from '../../db/pipeline.ts';
import { connected, type Database } from './database.ts';

/** How many rows of a table statements read, which `explain (analyze)` tells of each as the app's role. */

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Of what the reading sends through a transaction of Knex. */
export async function rowsReadIn(
  { appUrl }: Database,
  { tenantId, table }: { tenantId: string; table: string },
  read: (trx: TenantTransaction) => Promise<unknown>,
): Promise<number> {
  const knex = connect({ url: appUrl, pool: 1, applicationName: 'bench' });
  const sent: Statement[] = [];
  try {
    await createWithTenant(knex, () => undefined)(tenantId, async (trx) => {
      trx.on('query', ({ sql, bindings }: { sql: string; bindings: readonly unknown[] }) => {
        if (/^(select|with)\b/i.test(sql)) sent.push({ text: sql, values: bindings });
      });
      await read(trx);
    });
  } finally {
    await knex.destroy();
  }
  return connected(appUrl, (client) => explained(client, tenantId, table, sent));
}

/** Of what the reading sends at once; it is handed no rows. */
export async function rowsReadPipelined(
  { appUrl }: Database,
  { tenantId, table }: { tenantId: string; table: string },
  list: (read: PipelinedRead) => Promise<unknown>,
): Promise<number> {
  const sent: Statement[] = [];
  await list((_tenant, statements) => {
    sent.push(...statements);
    return Promise.resolve(statements.map(() => []));
  });
  return connected(appUrl, (client) => explained(client, tenantId, table, sent));
}

async function explained(client: Client, tenantId: string, table: string, sent: readonly Statement[]): Promise<number> {
  let rows = 0;
  for (const { text, values } of sent) {
    await client.query('begin');
    await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId]);
    const { rows: plans } = await client.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `explain (analyze, timing off, format json) ${text}`,
      [...values],
    );
    await client.query('rollback');
    for (const { Plan: plan } of plans[0]?.['QUERY PLAN'] ?? []) rows += rowsOf(plan, table);
  }
  return rows;
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Rows are those of one loop, on average. */
function rowsOf(plan: Plan, table: string): number {
  const here = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const own = plan['Relation Name'] === table ? here * plan['Actual Loops'] : 0;
  return own + (plan.Plans ?? []).reduce((sum, below) => sum + rowsOf(below, table), 0);
}
