import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { Client as Connection } from 'pg';
import { listAuditLogs } from '../../api/audit-logs/queries.ts';
import { listClients } from '../../api/clients/queries.ts';
import { listProducts } from '../../api/products/queries.ts';
import type { QuoteOrder } from '../../api/quotes/list-schema.ts';
import { listUnfiltered } from '../../api/quotes/list-unfiltered.ts';
import { listQuotes } from '../../api/quotes/queries.ts';
import { findWebhook, listDeliveries } from '../../api/webhooks/queries.ts';
import { connect } from '../../db/database.ts';
import type { NamedStatement } from '../../db/pipeline.ts';
import { createWithTenant, type TenantTransaction, type WithTenant } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { closeAfterTests, testStack } from '../stack.ts';
import * as build from './build.ts';
import { webhookWithDeliveries } from './cursor-lists.ts';

/** A node of `explain (analyze, format json)`. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const COUNT = 3_000;
const LIMIT = 20;
/** Pages with one row more, and the rows that are joined to them. */
const MAX_ROWS = LIMIT + 1;

describe('A page by cursor in the middle of 3 000 records, as the app role', function () {
  this.timeout(120_000);
  let business: build.Business;
  let webhookId: string;
  let withTenant: WithTenant;
  let knex: Knex;
  let plans: Connection;
  before(async () => {
    business = await build.business();
    const { owner, tenantId } = business;
    await build.product(business);
    await build.quote(owner);
    webhookId = await webhookWithDeliveries(business);
    const { env } = await testStack();
    const owning = connect({ url: env['DATABASE_ADMIN_URL'] ?? '', pool: 1, applicationName: 'quoting-test' });
    await multiply(owning, tenantId);
    await owning.destroy();
    knex = connect({ url: env['DATABASE_URL'] ?? '', pool: 1, applicationName: 'quoting-test' });
    withTenant = createWithTenant(knex, () => undefined);
    plans = new Connection({ connectionString: env['DATABASE_URL'] });
    await plans.connect();
    closeAfterTests(() => Promise.all([knex.destroy(), plans.end()]).then(() => undefined));
  });

  const caller = (): Caller => ({
    tenantId: business.tenantId,
    userId: business.userId,
    name: 'Diana',
    email: business.email,
    isVerified: true,
    role: 'OWNER',
    plan: 'PRO',
    credential: { kind: 'session', id: 'x' },
    timeZone: 'America/Mexico_City',
    country: 'MX',
    requestId: 'plans',
  });

  /** The plans of the statements that the list sends. */
  async function plansOf(list: (trx: TenantTransaction) => PromiseLike<unknown>): Promise<readonly Plan[]> {
    const sent: { sql: string; bindings: readonly unknown[] }[] = [];
    const note = ({ sql, bindings = [] }: { sql: string; bindings?: readonly unknown[] }) =>
      void sent.push({ sql, bindings });
    knex.on('query', note);
    await withTenant(business.tenantId, list);
    knex.off('query', note);
    const found: Plan[] = [];
    await plans.query('begin');
    await plans.query(`set local app.tenant_id = '${business.tenantId}'`);
    for (const { sql, bindings } of sent.filter((statement) => statement.sql.startsWith('select'))) {
      const { rows } = await plans.query(`explain (analyze, format json) ${sql}`, [...bindings]);
      found.push(rows[0]['QUERY PLAN'][0].Plan);
    }
    await plans.query('rollback');
    return found;
  }

  /** The general plans of what the unfiltered list prepares: they are made before its values are known. */
  async function generalPlansOf(page: { readonly page: number; readonly after?: readonly string[] }) {
    const prepared: NamedStatement[] = [];
    const read = (_tenantId: string, statements: readonly NamedStatement[]) => {
      prepared.push(...statements);
      return Promise.resolve(statements.map(() => []));
    };
    await listUnfiltered(read, caller(), { order: 'desc', limit: LIMIT, ...page });
    const found: Plan[] = [];
    await plans.query('begin');
    await plans.query(`set local app.tenant_id = '${business.tenantId}'`);
    await plans.query('set local plan_cache_mode = force_generic_plan');
    for (const { text, values } of prepared) {
      await plans.query(`prepare general as ${text}`);
      const given = values.map((value) => plans.escapeLiteral(String(value))).join(', ');
      const { rows } = await plans.query(`explain (analyze, format json) execute general(${given})`);
      found.push(rows[0]['QUERY PLAN'][0].Plan);
      await plans.query('deallocate general');
    }
    await plans.query('rollback');
    return found;
  }

  const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
  const LARGE: ReadonlySet<string> = new Set(['quotes', 'clients', 'products', 'audit_logs', 'webhook_deliveries']);

  /** Nodes that read more than the page, or sort more than it. */
  const costly = (found: readonly Plan[], { mayFilter = false } = {}): readonly string[] =>
    found.flatMap(nodesOf).flatMap((node) => {
      const type = node['Node Type'];
      const rows = node['Actual Rows'] * node['Actual Loops'];
      const removed = mayFilter ? 0 : (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'];
      const isLarge = LARGE.has(node['Relation Name'] ?? '') || type === 'Sort';
      const isCostly =
        (isLarge && rows + removed > MAX_ROWS) || (type === 'Seq Scan' && LARGE.has(node['Relation Name'] ?? ''));
      return isCostly ? [`${type} of ${node['Relation Name'] ?? '…'}: ${rows} rows, ${removed} removed`] : [];
    });

  const at = (n: number) => String(Date.parse('2026-11-01T00:00:00Z') * 1000 + n);
  const MIDDLE = 1_500;
  const ID = `c${'m'.repeat(24)}`;
  const query = { page: 1, limit: LIMIT };
  const list =
    (sort: QuoteOrder, after: readonly string[], more: object = {}) =>
    (trx: TenantTransaction) =>
      listQuotes(trx, caller(), { ...query, sort, after, ...more });

  const PAGES: readonly [what: string, list: (trx: TenantTransaction) => PromiseLike<unknown>][] = [
    ['quotes by number, descending', list('-quoteNumber', [String(MIDDLE)])],
    ['quotes by number, ascending', list('quoteNumber', [String(MIDDLE)])],
    ['quotes by creation, descending', list('-createdAt', [at(MIDDLE), '9'])],
    ['quotes by creation, ascending', list('createdAt', [at(MIDDLE), '9'])],
    ['quotes by expiry, descending', list('-expiresAt', [at(MIDDLE), '9'])],
    ['quotes by expiry, ascending', list('expiresAt', [at(MIDDLE), '9'])],
    [
      'quotes that changed',
      list('-quoteNumber', [String(Date.now() * 1000), ID], { updatedSince: '2000-01-01T00:00:00Z' }),
    ],
    ['clients', (trx) => listClients(trx, caller(), { ...query, after: [at(MIDDLE), ID] })],
    [
      'clients that changed',
      (trx) => listClients(trx, caller(), { ...query, updatedSince: '2000-01-01T00:00:00Z', after: [at(MIDDLE), ID] }),
    ],
    ['products', (trx) => listProducts(trx, business.tenantId, { ...query, after: [at(MIDDLE), ID] })],
    ['audit logs', (trx) => listAuditLogs(trx, caller(), { ...query, after: [at(MIDDLE), ID] })],
    [
      'deliveries',
      async (trx) =>
        listDeliveries(trx, await findWebhook(trx, business.tenantId, webhookId), {
          ...query,
          after: [at(MIDDLE), ID],
        }),
    ],
  ];
  for (const [what, read] of PAGES) {
    it(`of ${what} reads the page from an index, without sorting`, async () => {
      const found = await plansOf(read);

      assert.ok(found.length > 0);
      assert.deepEqual(costly(found), []);
    });
  }

  for (const sort of ['total', '-total'] as const) {
    it(`of quotes with sort=${sort} reads an index in order, and sorts nothing; the position is a filter`, async () => {
      const found = await plansOf(list(sort, [`${MIDDLE}.000`, '9']));

      assert.deepEqual(costly(found, { mayFilter: true }), []);
    });
  }

  it('of quotes without a filter reads the page from indexes, with a plan that is made before its values are known', async () => {
    const found = await generalPlansOf({ page: 1, after: [String(MIDDLE)] });

    assert.deepEqual(costly(found), []);
  });

  it('a page by its number, without a filter, skips index entries only', async () => {
    const found = await generalPlansOf({ page: 75 });

    const skipping = /^Index Only Scan of quotes: 1500 rows, 0 removed$/;
    assert.deepEqual(
      costly(found).map((what) => skipping.test(what)),
      [true],
      costly(found).join('\n'),
    );
  });

  it('differs from a page by its number, which skips all before it', async () => {
    const found = await plansOf((trx) => listClients(trx, caller(), { page: 50, limit: LIMIT }));

    assert.notDeepEqual(costly(found), []);
  });
});

/** Copies a record of each list, with times a microsecond apart. */
async function multiply(owning: Knex, tenantId: string): Promise<void> {
  const copies = (table: string, members: string) =>
    owning.raw(
      `insert into ${table}
         select copy.* from (select * from ${table} where tenant_id = :tenantId limit 1) r, generate_series(1, ${COUNT}) n,
           jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(
             'id', 'c' || lpad(to_hex(n), 24, '0'),
             'created_at', timestamptz '2026-11-01 00:00:00Z' + n * interval '1 microsecond', ${members})) copy`,
      { tenantId },
    );
  await copies(
    'quotes',
    `'quote_number', n + 10, 'display_number', 'N-' || n, 'public_token_hash', 'h' || n,
     'expires_at', timestamptz '2026-11-01 00:00:00Z' + n * interval '1 microsecond',
     'subtotal', n, 'tax', 0, 'shipping_cost', 0, 'total', n`,
  );
  await copies('clients', `'updated_at', now()`);
  await copies('products', `'updated_at', now()`);
  await copies('audit_logs', `'action', 'update'`);
  await copies('webhook_deliveries', `'event_id', 'e' || n`);
  await owning.raw('analyze quotes, clients, products, audit_logs, webhook_deliveries');
}
