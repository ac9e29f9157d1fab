import assert from 'node:assert/strict';
import { Client as PostgresClient } from 'pg';
import { readFilesConfig } from '../../adapters/config.ts';
import { createStorage } from '../../adapters/storage.ts';
import { attach, form, pdf } from '../api/attachment-files.ts';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import type { MarkedBusiness } from '../journey/canary-world.ts';

/** What a tenant has in PostgreSQL, the bucket and Temporal, counted without the code under test. */
export interface Holdings {
  readonly rows: Readonly<Record<string, number>>;
  readonly objects: readonly string[];
  readonly running: number;
}

/** Every table with a `tenant_id`, and `tenants`. */
export async function tablesOf(service: Installation): Promise<readonly { name: string; key: string }[]> {
  const rows = await service.rows(
    `select table_name as name, case table_name when 'tenants' then 'id' else 'tenant_id' end as key
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and (column_name = 'tenant_id' or (table_name = 'tenants' and column_name = 'id')) order by 1`,
  );
  return rows.map(({ name, key }) => ({ name: String(name), key: String(key) }));
}

export async function holdingsOf(service: Installation, tenantId: string): Promise<Holdings> {
  const rows: Record<string, number> = {};
  for (const { name, key } of await tablesOf(service)) {
    const [found] = await service.rows(`select count(*)::int as count from ${name} where ${key} = $1`, tenantId);
    rows[name] = Number(found?.['count']);
  }
  return { rows, objects: await objectsOf(service, tenantId), running: await runningOf(service, tenantId) };
}

/** The keys of a tenant's objects, found among those of all tenants. */
export async function objectsOf({ env }: Installation, tenantId: string): Promise<readonly string[]> {
  const storage = createStorage(readFilesConfig(env));
  const keys: string[] = [];
  let after = '';
  for (;;) {
    const { objects, hasMore } = await storage.list(after);
    keys.push(...objects.map(({ key }) => key));
    if (!hasMore) return keys.filter((key) => key.includes(tenantId));
    after = keys.at(-1) ?? '';
  }
}

/** Running executions whose attributes or workflow id name the tenant. */
async function runningOf(service: Installation, tenantId: string): Promise<number> {
  const [tenant] = await service.rows(
    'select slug from tenants where id = $1 union select slug from tenant_deletions where id = $1',
    tenantId,
  );
  const slug = String(tenant?.['slug']);
  let running = 0;
  for await (const { workflowId, searchAttributes } of service.temporal.workflow.list({
    query: `ExecutionStatus = 'Running'`,
  })) {
    const named = JSON.stringify([workflowId, searchAttributes]);
    if (named.includes(tenantId) || named.includes(slug)) running += 1;
  }
  return running;
}

/** Adds what `markedBusinesses` lack: running executions, an attachment, a label, a template, a second factor in preparation. */
export async function addMore(service: Installation, { owner, word, ids, secrets }: MarkedBusiness): Promise<void> {
  const { http } = service;
  const post = async (path: string, body?: unknown) => {
    const res = await http.post(path, body, owner);
    assert.ok(res.status < 300, `${path}: ${res.status} ${JSON.stringify(res.body)}`);
    return res.body;
  };
  const client = await post('/api/clients', { contactName: `Otra ${word}` });
  const item = { productName: `Mesa ${word}`, unitPrice: 10, quantity: 1 };
  const quote = await post('/api/quotes', { clientId: client.id, items: [item], metadata: { folio: word } });
  const attached = await attach(http, owner, quote.id, form(pdf({ mark: word }), `${word}.pdf`));
  assert.equal(attached.status, 201);
  const label = await post('/api/labels', { name: `Urgente ${word}`.slice(0, 50) });
  await post(`/api/quotes/${quote.id}/labels/${label.id}`);
  await post('/api/templates', { name: 'Básica', description: word, items: [item] });
  await post('/api/auth/two-factor/setup', { password: secrets.password });
  await post(`/api/quotes/${quote.id}/share`, { channel: 'link' });
  const [tenantId = ''] = ids;
  await eventually(async () => assert.ok((await runningOf(service, tenantId)) >= 2, 'no executions are running'));
}

/** Locks a table, so that a command that comes to it stops there. */
export async function heldTable(service: Installation, table: string) {
  const client = new PostgresClient({ connectionString: service.parts.postgres.adminUrl });
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in access exclusive mode`);
  const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  return {
    /** Waits until the command with this connection name stands at the lock. */
    reached: (applicationName: string) =>
      eventually(async () => {
        const waiting = await service.rows(
          'select from pg_stat_activity where application_name = $1 and $2 = any (pg_blocking_pids(pid))',
          applicationName,
          pid,
        );
        assert.ok(waiting.length > 0, `${applicationName} has not come to ${table}`);
      }),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
