import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { newId } from '../../db/ids.ts';
import { outcomeOf, rowsOf } from './database.ts';
import type { TenantTable } from './catalogue.ts';
import { type TwoTenants, twoTenants } from './two-tenants.ts';

const DENIED = '42501'; // insufficient_privilege: no grant, or a policy's check

describe('row-level security', () => {
  let db: TwoTenants;
  before(async () => {
    db = await twoTenants();
  });

  /** What comes out for each table of tenants, by name. */
  async function inEachTable<T>(work: (table: TenantTable) => Promise<T>): Promise<Record<string, T>> {
    const outcomes: Record<string, T> = {};
    for (const table of db.tables) outcomes[table.name] = await work(table);
    return outcomes;
  }
  const everywhere = <T>(outcome: T): Record<string, T> =>
    Object.fromEntries(db.tables.map(({ name }) => [name, outcome]));
  const count = async (on: Knex, { name }: TenantTable, where = 'true', bindings: readonly string[] = []) =>
    (await rowsOf<{ n: number }>(on, `select count(*)::int as n from ${name} where ${where}`, bindings))[0]?.n;

  it('is enabled and forced on every table of the schema, regardless of its creator', async () => {
    const open = await rowsOf(
      db.owner,
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and relname not like 'knex\\_%' and not (relrowsecurity and relforcerowsecurity)`,
    );

    assert.deepEqual(open, []);
    assert.ok(db.tables.length >= 12, db.tables.map(({ name }) => name).join());
  });

  it('is tested on tables that all hold rows of both tenants', async () => {
    const mine = await inEachTable((table) => count(db.owner, table, `${table.key} = ?`, [db.mine]));
    const theirs = await inEachTable((table) => count(db.owner, table, `${table.key} = ?`, [db.theirs]));

    assert.deepEqual([mine, theirs], [everywhere(1), everywhere(1)]);
  });

  it('shows the app role no row of any table when no tenant is set', async () => {
    const seen = await inEachTable((table) => count(db.app, table));

    assert.deepEqual(seen, everywhere(0));
  });

  it('shows the app role no row of any table when the tenant is set to nothing', async () => {
    const trx = await db.app.transaction();
    await trx.raw("select set_config('app.tenant_id', '', true)");

    const seen = await inEachTable((table) => count(trx, table));

    await trx.rollback();
    assert.deepEqual(seen, everywhere(0));
  });

  it('shows a tenant its own rows and no others, in every table', async () => {
    const all = await inEachTable((table) => db.asMe((trx) => count(trx, table)));
    const theirs = await inEachTable((table) => db.asMe((trx) => count(trx, table, `${table.key} = ?`, [db.theirs])));

    assert.deepEqual([all, theirs], [everywhere(1), everywhere(0)]);
  });

  it('lets a tenant insert nothing for another, into any table', async () => {
    const outcomes = await inEachTable(({ name, key, columns }) => {
      const names = columns.map((column) => `"${column.name}"`);
      const values = columns.map(({ name: column }) =>
        column === key ? '?' : column === 'id' ? `'${newId()}'` : `"${column}"`,
      );
      const insert = `insert into ${name} (${names.join()}) select ${values.join()} from ${name}`;
      return db.asMe((trx) => outcomeOf(trx, insert, [db.theirs]));
    });

    assert.deepEqual(outcomes, everywhere(DENIED));
  });

  it('lets a tenant insert for itself, so the refusals above are not a missing grant', async () => {
    const outcome = await db.asMe((trx) =>
      outcomeOf(trx, `insert into clients (id, tenant_id, contact_name) values (?, ?, 'Ana')`, [newId(), db.mine]),
    );

    assert.equal(outcome, 1);
  });

  it('lets a tenant change no row of another, in any table', async () => {
    const outcomes = await inEachTable(({ name, key }) =>
      db.asMe((trx) => outcomeOf(trx, `update ${name} set ${key} = ${key} where ${key} = ?`, [db.theirs])),
    );

    const changed = Object.entries(outcomes).filter(([, outcome]) => outcome !== 0 && outcome !== DENIED);
    assert.deepEqual(changed, []);
  });

  it('lets a tenant give none of its rows to another, in any table', async () => {
    const outcomes = await inEachTable(({ name, key }) =>
      db.asMe((trx) => outcomeOf(trx, `update ${name} set ${key} = ?`, [db.theirs])),
    );

    assert.deepEqual(outcomes, everywhere(DENIED));
  });

  it('lets a tenant delete no row of another, in any table', async () => {
    const outcomes = await inEachTable(({ name, key }) =>
      db.asMe((trx) => outcomeOf(trx, `delete from ${name} where ${key} = ?`, [db.theirs])),
    );

    const deleted = Object.entries(outcomes).filter(([, outcome]) => outcome !== 0 && outcome !== DENIED);
    assert.deepEqual(deleted, []);
  });

  it('the tenant is unset at the end of the transaction, so a pooled connection does not keep it', async () => {
    const one = await db.app.transaction();
    await one.raw("select set_config('app.tenant_id', ?, true)", [db.mine]);
    await one.commit();

    const seen = await inEachTable((table) => count(db.app, table));

    assert.deepEqual(seen, everywhere(0));
  });

  it('shows the dispatcher role its own tables for all tenants, and no other table', async () => {
    const outcomes = await inEachTable(({ name, key }) => outcomeOf(db.dispatcher, `select ${key} from ${name}`));

    const readable = Object.entries(outcomes).filter(([, outcome]) => outcome !== DENIED);
    assert.deepEqual(readable, [
      ['audit_heads', 2],
      ['audit_seals', 2],
      ['automation_logs', 2],
      ['automations', 2],
      ['expiry_reminders', 2],
      ['files', 2],
      ['follow_ups', 2],
      ['idempotency_keys', 2],
      ['imports', 2],
      ['mails', 2],
      ['notifications', 2],
      ['one_time_tokens', 2],
      ['outbox_events', 2],
      ['quote_attachments', 2],
      ['quotes', 2],
      ['reminders', 2],
      ['sessions', 2],
      ['signatures', 2],
      ['tenants', 2],
      ['webhook_attempts', 2],
      ['webhook_deliveries', 2],
      ['webhooks', 2],
    ]);
  });

  it('shows the dispatcher role no name, amount, token or secret', async () => {
    const columns = [
      'quotes.client_contact_name',
      'quotes.total',
      'quotes.public_token_sealed',
      'tenants.email',
      'webhooks.secret_sealed',
      'mails.token_sealed',
      'one_time_tokens.hash',
      'idempotency_keys.answer_sealed',
      'signatures.signer_name',
      'signatures.data',
      'webhook_attempts.claim_token',
      'reminders.message',
      'quote_attachments.name',
      'quote_shares.recipients',
      'quote_shares.message',
      'clients.contacts',
    ];

    const outcomes = await Promise.all(
      columns.map((column) => outcomeOf(db.dispatcher, `select ${column} from ${column.split('.')[0]}`)),
    );

    assert.deepEqual(new Set(outcomes), new Set([DENIED]));
  });

  it('lets the dispatcher role mark an event as dispatched and change nothing else, and delete only dispatched ones', async () => {
    const payload = await outcomeOf(db.dispatcher, `update outbox_events set payload = ''`);
    const inserted = await outcomeOf(db.dispatcher, `insert into outbox_events (id) values ('x')`);
    const deleted = await outcomeOf(db.dispatcher, `delete from outbox_events`);

    assert.deepEqual([payload, inserted, deleted], [DENIED, DENIED, 0]);
  });
});
