import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { listAuditLogs } from '../api/audit-logs/queries.ts';
import { periodOf, readDashboard } from '../api/dashboard/read.ts';
import { listClients } from '../api/clients/queries.ts';
import { matchingQuotes } from '../api/quotes/filters.ts';
import { findVisibleQuote, listQuotes, pageOf, type QuoteQuery } from '../api/quotes/queries.ts';
import { connect } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createWithTenant, type TenantTransaction } from '../db/with-tenant.ts';
import { startPostgres } from '../dev/postgres.ts';
import type { Caller } from '../domain/caller.ts';
import { big, seedLargeBusiness } from './large-business.ts';

/**
 * Runs the main reads against 200 000 quotes as the app role and writes docs/queries.md: every statement that they send, with its
 * plan. Exits with 1 if one of them scans a large table sequentially.
 */

interface Sent {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

const caller = (role: Caller['role']): Caller => ({
  tenantId: big.tenantId,
  userId: role === 'OWNER' ? big.owner : big.collaborator,
  name: 'Diana',
  email: 'diana@example.com',
  role,
  plan: 'PRO',
  isVerified: true,
  credential: { kind: 'session', id: big.owner },
  timeZone: 'America/Mexico_City',
  country: 'MX',
  requestId: 'explain',
});
const owner = caller('OWNER');
const list =
  (query: Partial<QuoteQuery>, who = owner) =>
  (trx: TenantTransaction) =>
    listQuotes(trx, who, { sort: '-quoteNumber', page: 1, limit: 20, ...query });
const audit = (query: object) => (trx: TenantTransaction) =>
  listAuditLogs(trx, owner, { page: 1, limit: 25, ...query });

/** Microseconds since 1970 of a moment, in a position. */
const at = (moment: string) => String(Date.parse(moment) * 1000);
const ANY_ID = `c${'m'.repeat(24)}`;
const LONG_AGO = '2020-01-01T00:00:00Z';

const MAIN: readonly [what: string, run: (trx: TenantTransaction) => Promise<unknown>][] = [
  ['The list, first page (`GET /api/quotes`)', list({})],
  ['The list, page 5 000', list({ page: 5_000 })],
  ['The list of one status', list({ status: 'LOST' })],
  ['The list of a collaborator', list({}, caller('COLLABORATOR'))],
  ['The list of one client, by total', list({ clientId: big.client, sort: '-total' })],
  [
    'The list by date, amount and expiry',
    list({ from: '2026-09-01', to: '2026-09-30', minTotal: 1000, expired: true }),
  ],
  ['The list by label', list({ labelId: `cl${'1'.padStart(23, '0')}` })],
  ['The list by total', list({ sort: '-total', minTotal: 100_000 })],
  ['The list by cursor, after number 75 000', list({ after: ['75000'] })],
  ['The list by cursor and creation', list({ sort: 'createdAt', after: [at('2026-09-01T00:00:00Z'), '1'] })],
  ['The list by cursor and expiry', list({ sort: '-expiresAt', after: [at('2026-09-01T00:00:00Z'), '1'] })],
  ['The list by cursor and total', list({ sort: '-total', after: ['50000.000', '1'] })],
  [
    'Quotes that changed (`updatedSince`)',
    list({ updatedSince: LONG_AGO, after: [at('2026-09-01T00:00:00Z'), ANY_ID] }),
  ],
  ['Search: a rare name', list({ search: 'zapateria nandu' })],
  ['Search: a common name', list({ search: 'maría' })],
  ['Search: a number', list({ search: 'COT-149000' })],
  ['One quote (`GET /api/quotes/:id`)', (trx) => findVisibleQuote(trx, owner, big.quote)],
  [
    'Pipeline and export: one batch',
    async (trx) => {
      const matching = await matchingQuotes(trx, owner, { from: '2026-01-01' });
      void matching.page.where('quotes.quoteNumber', '<', 140_000);
      return pageOf(trx, matching, { sort: '-quoteNumber', limit: 500 });
    },
  ],
  [
    'The dashboard of a month (`GET /api/dashboard`)',
    (trx) =>
      readDashboard(
        trx,
        owner,
        periodOf(
          { period: 'month', from: '2026-10-01', to: '2026-10-31' },
          { now: new Date(), timeZone: owner.timeZone },
        ),
      ),
  ],
  ['The audit log (`GET /api/audit-logs`)', audit({ from: '2026-10-01', to: '2026-10-31' })],
  ['The audit log of one action by one user', audit({ action: 'status_change', userId: big.owner })],
  ['Clients by text (`GET /api/clients`)', (trx) => listClients(trx, owner, { search: 'ñandu', page: 1, limit: 20 })],
];

const LARGE = /Seq Scan on (?:public\.)?(?:quotes|quote_items|clients|audit_logs)\b/;

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoting-explain-'));
  const postgres = await startPostgres({ dataDir, fsync: false });
  try {
    const { adminUrl, appUrl, dispatcherUrl } = postgres;
    await migrate({ admin: adminUrl, app: appUrl, dispatcher: dispatcherUrl });
    await seedLargeBusiness(adminUrl);
    const sections = [...(await explainReads(appUrl)), await explainLookup(adminUrl)];
    await writeFile(new URL('../docs/queries.md', import.meta.url), document(sections));
    const scanning = sections.filter(({ text }) => LARGE.test(text)).map(({ what }) => what);
    for (const what of scanning) console.error(`scans a large table: ${what}`);
    process.exitCode = scanning.length > 0 ? 1 : 0;
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Section {
  readonly what: string;
  readonly text: string;
}

async function explainReads(appUrl: string): Promise<readonly Section[]> {
  const knex = connect({ url: appUrl, pool: 1, applicationName: 'explain' });
  const withTenant = createWithTenant(knex, () => undefined);
  const plans = new Client({ connectionString: appUrl });
  await plans.connect();
  const sections: Section[] = [];
  try {
    for (const [what, run] of MAIN) {
      const sent: Sent[] = [];
      const note = (query: Sent) => void sent.push({ sql: query.sql, bindings: query.bindings });
      knex.on('query', note);
      await withTenant(big.tenantId, run);
      knex.off('query', note);
      const statements = sent.filter(({ sql }) => /^(select|with)\b/i.test(sql));
      const texts: string[] = [];
      for (const statement of statements) texts.push(await explained(plans, statement));
      sections.push({ what, text: texts.join('\n') });
    }
  } finally {
    await plans.end();
    await knex.destroy();
  }
  return sections;
}

async function explained(client: Client, { sql, bindings }: Sent): Promise<string> {
  await client.query('begin');
  await client.query(`select set_config('app.tenant_id', $1, true)`, [big.tenantId]);
  const lines = await planOf(client, sql, bindings);
  await client.query('rollback');
  return `\`\`\`sql\n${sql}\n\`\`\`\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`;
}

async function planOf(client: Client, sql: string, bindings: readonly unknown[]): Promise<readonly string[]> {
  const explain = 'explain (analyze, costs off, timing off, buffers off)';
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`${explain} ${sql}`, [...bindings]);
  return rows.map((row) => row['QUERY PLAN']).filter((line) => !line.startsWith('Planning Time'));
}

/** What the search function does inside, which its caller's plan does not show. The owner's policy hides nothing either. */
async function explainLookup(adminUrl: string): Promise<Section> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ body: string }>(
      `select prosrc as body from pg_proc where proname = 'find_clients_by_name'`,
    );
    const sql = (rows[0]?.body ?? '').trim().replaceAll(/\bpattern\b/g, '$1::text');
    const text = await explained(client, { sql, bindings: ['%nandu%'] });
    return { what: 'Inside `find_clients_by_name`', text };
  } finally {
    await client.end();
  }
}

const document = (sections: readonly Section[]): string => `# Queries at 200 000 quotes

Written by \`npm run explain\`: the statements of the main reads, each with its query plan, as the role \`quoting_app\` under forced
row-level security. The business that asks has 150 000 of the quotes, 10 000 clients and 225 000 audit entries, so its policy filters
little: the worst case. The command fails if a statement scans quotes, items, clients or the audit log sequentially.

The plans depend on three decisions: lists select the page first and join afterwards, because under row-level security a plain join
loses the ordered index; the count of an unfiltered list comes from the number counter; LIKE runs inside a function of the lookup role,
because it is not leakproof and so never an index condition below a policy. Pages by cursor begin at their position in the index of
their order; by total the position is a filter, since comparisons of numeric are not leakproof either.

| index | for |
| --- | --- |
| \`quotes_tenant_id_quote_number_unique\` | the default order of lists, pages of pipeline and export, a quote by its number |
| \`quotes_by_status\`, \`quotes_by_user\`, \`quotes_by_client\` | the list by status, of a collaborator, of a client or of clients found by a search |
| \`quotes_newest\` | dashboard, \`from\` and \`to\`, order by creation |
| \`quotes_by_total\`, \`quotes_by_expiry\` | sorting and filtering by amount and expiry |
| \`quotes_by_reference\`, \`quote_metadata_by_value\` | filters by reference and metadata |
| \`quotes_display_number\` | search by the number as people see it; it is unique |
| \`quote_items_pkey\` | the lines of a quote and their number |
| \`quote_labels_by_label\` | the list by label |
| \`quotes_by_change\`, \`clients_by_change\` | \`updatedSince\` |
| \`clients_newest\` | the list of clients |
| \`clients_by_text\` | search by name or e-mail (trigrams) |
| \`audit_logs_pkey\`, \`audit_logs_by_action\`, \`audit_logs_by_entity\`, \`audit_logs_by_user\` | the audit log and its filters |
| \`audit_logs_of_quote\` | the history of one quote |

${sections.map(({ what, text }) => `## ${what}\n\n${text}`).join('\n')}`;

await main();
