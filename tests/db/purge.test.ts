import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { newId } from '../../db/ids.ts';
import { forgetFiles, type IdleFile, idleFiles } from '../../db/writes/purge-files.ts';
import { BATCH, purge, type RowChore } from '../../db/writes/purge.ts';
import type { Retention } from '../../domain/housekeeping.ts';
import { outcomeOf, rowsOf } from './database.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';
import { insertQuote, insertWebhook } from './rows.ts';

const KEPT: Retention = {
  webhookBodies: 30,
  webhookDeliveries: 90,
  events: 30,
  accounts: 30,
  notifications: 180,
  automationLogs: 365,
  imports: 90,
  supersededPdfs: 30,
  orphanPdfs: 1,
};
/** As mild as a caller can ask for nothing to be kept; the policies keep a day all the same. */
const NOTHING: Retention = {
  webhookBodies: 0,
  webhookDeliveries: 0,
  events: 0,
  accounts: 0,
  notifications: 0,
  automationLogs: 0,
  imports: 0,
  supersededPdfs: 0,
  orphanPdfs: 0,
};
const SHA = 'a'.repeat(64);
const DENIED = '42501';

describe('retention', () => {
  let db: SeparateDatabase;
  let tenantId: string;
  let userId: string;
  let quoteId: string;

  before(async () => {
    db = await separateDatabase();
  });
  after(() => db.stop());
  beforeEach(async () => {
    tenantId = await db.tenant();
    ({ userId, quoteId } = await insertQuote(db.owner, tenantId));
  });

  async function put(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
    await db.owner(table).insert({ tenant_id: tenantId, ...row });
  }
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  const all = async (chore: RowChore, kept = KEPT): Promise<number> => {
    let total = 0;
    for (;;) {
      const n = await purge(db.dispatcher, chore, kept);
      total += n;
      if (n < BATCH) return total;
    }
  };
  const ids = async (table: string, column = 'id'): Promise<string[]> =>
    (
      await rowsOf<{ id: string }>(db.owner, `select ${column} as id from ${table} where tenant_id = ? order by 1`, [
        tenantId,
      ])
    ).map(({ id }) => id);

  async function delivery(id: string, completed: Date | null, status = completed ? 'EXHAUSTED' : 'PENDING') {
    const webhookId = await insertWebhook(db.owner, tenantId);
    await put('webhook_deliveries', {
      id: id + tenantId,
      webhook_id: webhookId,
      event: 'quote.created',
      event_id: id + tenantId,
      payload: '{"event":"quote.created","timestamp":"2026-01-01T00:00:00.000Z","data":{"quote":{"secreto":1}}}',
      status,
      response_body: 'contestación',
      completed_at: completed,
      created_at: daysAgo(200),
    });
    await put('webhook_attempts', {
      id: id + tenantId,
      delivery_id: id + tenantId,
      number: 1,
      claim_token: 'x',
      response_body: 'contestación',
    });
  }

  it('empties webhook bodies and responses 30 days after a delivery ended, and no younger or open one', async () => {
    await delivery('old', daysAgo(31));
    await delivery('young', daysAgo(29));
    await delivery('open', null);

    const emptied = [await all('webhook_bodies'), await all('webhook_bodies')];

    assert.deepEqual(emptied, [1, 0]);
    const rows = await rowsOf<{ id: string; payload: string; response_body: string | null; answer: string | null }>(
      db.owner,
      `select d.id, d.payload, d.response_body, a.response_body as answer from webhook_deliveries d
         join webhook_attempts a on a.delivery_id = d.id where d.tenant_id = ? order by 1`,
      [tenantId],
    );
    const of = (id: string) => rows.find((row) => row.id === id + tenantId);
    const answers = (id: string) => [of(id)?.response_body, of(id)?.answer];
    assert.deepEqual(answers('old'), [null, null]);
    assert.deepEqual(
      [...answers('young'), ...answers('open')],
      Array.from({ length: 4 }, () => 'contestación'),
    );
    const body = JSON.parse(of('old')?.payload ?? '') as Record<string, unknown>;
    assert.deepEqual(Object.keys(body), ['event', 'timestamp', 'data']);
    assert.deepEqual([body['event'], body['data']], ['quote.created', {}]);
    assert.match(String(body['timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.match(of('young')?.payload ?? '', /secreto/);
    assert.match(of('open')?.payload ?? '', /secreto/);
  });

  it('webhook bodies cannot be changed, nor emptied before the delivery ended', async () => {
    await delivery('open', null);
    await delivery('over', daysAgo(2));
    const change = (on: Knex, sql: string, id: string) =>
      outcomeOf(on, `update webhook_deliveries set ${sql} where id = ?`, [id + tenantId]);

    const outcomes = [
      await change(db.owner, "payload = '{}'", 'over'),
      await change(db.owner, "payload = '{}', bodies_purged_at = now()", 'open'),
      await change(db.dispatcher, "payload = '{}'", 'over'),
      await db.withTenant(tenantId, (trx) => change(trx, "payload = '{}'", 'over')).catch(() => DENIED),
      await change(db.owner, 'response_body = null', 'open'),
    ];

    assert.deepEqual(outcomes, [DENIED, DENIED, DENIED, DENIED, 1]);
  });

  it('deletes deliveries and their attempts 90 days after they ended', async () => {
    await delivery('a-old', daysAgo(91));
    await delivery('b-young', daysAgo(89));
    await delivery('c-open', null);

    assert.equal(await all('webhook_deliveries'), 1);

    assert.deepEqual(await ids('webhook_deliveries'), [`b-young${tenantId}`, `c-open${tenantId}`]);
    assert.deepEqual(await ids('webhook_attempts'), [`b-young${tenantId}`, `c-open${tenantId}`]);
  });

  async function event(id: string, days: number, fields: Readonly<Record<string, unknown>> = {}) {
    await put('outbox_events', {
      id: id + tenantId,
      type: 'quote.created',
      payload: '{}',
      root_event_id: id,
      created_at: daysAgo(days),
      dispatched_at: daysAgo(days),
      fanned_out_at: daysAgo(days),
      ...fields,
    });
  }

  it('deletes events 30 days old, except those not dispatched or fanned out, or needed by unfinished work', async () => {
    await event('a-old', 31);
    await event('b-young', 29);
    await event('c-waiting', 31, { dispatched_at: null });
    await event('d-unplanned', 31, { fanned_out_at: null });
    await event('delivered', 31);
    await event('e-pending', 31);
    await event('f-run', 31);
    await delivery('delivered', daysAgo(31));
    await delivery('e-pending', null);
    const automationId = newId();
    await put('automations', { id: automationId, name: 'a', trigger: 'QUOTE_WON', conditions: '[]', actions: '[]' });
    await put('automation_logs', {
      id: newId(),
      automation_id: automationId,
      quote_id: quoteId,
      event_id: `f-run${tenantId}`,
      conditions: '[]',
      actions: '[]',
      delay_minutes: 525_600,
    });

    assert.equal(await all('outbox_events'), 2);

    assert.deepEqual(
      await ids('outbox_events'),
      ['b-young', 'c-waiting', 'd-unplanned', 'e-pending', 'f-run'].map((id) => id + tenantId),
    );
  });

  it('deletes responses stored for an Idempotency-Key after 24 hours, and none before', async () => {
    const row = { fingerprint: 'x', attempt_id: 'x', answer_sealed: 'x' };
    await put('idempotency_keys', { ...row, scope: 'old', created_at: daysAgo(1.01) });
    await put('idempotency_keys', { ...row, scope: 'young', created_at: daysAgo(0.99) });

    assert.equal(await all('idempotency_keys'), 1);

    assert.deepEqual(await ids('idempotency_keys', 'scope'), ['young']);
  });

  it('deletes sessions 30 days after they expired', async () => {
    await put('sessions', { id: `a${tenantId}`, user_id: userId, expires_at: daysAgo(31) });
    await put('sessions', { id: `b${tenantId}`, user_id: userId, expires_at: daysAgo(29) });
    await put('sessions', { id: `c${tenantId}`, user_id: userId, expires_at: daysAgo(-7) });

    assert.equal(await all('sessions'), 1);

    assert.deepEqual(await ids('sessions'), [`b${tenantId}`, `c${tenantId}`]);
  });

  it('deletes notifications 180 days after their creation, read or not', async () => {
    const notification = (id: string, days: number, readAt: Date | null) =>
      put('notifications', {
        id: id + tenantId,
        user_id: userId,
        type: 'reminder',
        title: 'Llamar',
        body: '',
        event_id: id,
        read_at: readAt,
        created_at: daysAgo(days),
      });
    await notification('a', 181, null);
    await notification('b', 181, new Date());
    await notification('c', 179, new Date());

    assert.equal(await all('notifications'), 2);

    assert.deepEqual(await ids('notifications'), [`c${tenantId}`]);
    await all('notifications', NOTHING);
    await put('notifications', { id: tenantId, user_id: userId, type: 'reminder', title: '', body: '', event_id: 'd' });
    await all('notifications', NOTHING);
    assert.deepEqual(await ids('notifications'), [tenantId]);
  });

  it('deletes automation runs and their steps 365 days after their end, and no open one', async () => {
    const automationId = newId();
    await put('automations', { id: automationId, name: 'a', trigger: 'QUOTE_WON', conditions: '[]', actions: '[]' });
    const run = async (id: string, completed: Date | null) => {
      await put('automation_logs', {
        id: id + tenantId,
        automation_id: automationId,
        quote_id: quoteId,
        event_id: id,
        status: completed ? 'COMPLETED' : 'TRIGGERED',
        conditions: '[]',
        actions: '[]',
        delay_minutes: 0,
        triggered_at: daysAgo(500),
        completed_at: completed,
      });
      await put('automation_steps', { log_id: id + tenantId, action_index: 0 });
    };
    await run('a', daysAgo(366));
    await run('b', daysAgo(364));
    await run('c', null);
    await run('d', daysAgo(0.9));

    assert.equal(await all('automation_logs'), 1);

    assert.deepEqual(await ids('automation_logs'), [`b${tenantId}`, `c${tenantId}`, `d${tenantId}`]);
    assert.deepEqual(await ids('automation_steps', 'log_id'), [`b${tenantId}`, `c${tenantId}`, `d${tenantId}`]);
    await all('automation_logs', NOTHING);
    assert.deepEqual(await ids('automation_logs'), [`c${tenantId}`, `d${tenantId}`]);
  });

  const ended = (id: string, days: number | null) => ({
    id: id + tenantId,
    user_id: userId,
    actor: 'user',
    request_id: 'x',
    kind: 'clients',
    status: days === null ? 'RUNNING' : 'COMPLETED',
    is_dry_run: false,
    on_duplicate: 'error',
    total: 1,
    created_at: daysAgo(200),
    completed_at: days === null ? null : daysAgo(days),
  });

  it('deletes imports 90 days after their end, and no running or younger one', async () => {
    await put('imports', ended('a-old', 91));
    await put('imports', ended('b-young', 89));
    await put('imports', ended('c-running', null));
    await put('imports', ended('d-today', 0.9));

    assert.deepEqual([await all('imports'), await all('imports')], [1, 0]);
    assert.deepEqual(await ids('imports'), [`b-young${tenantId}`, `c-running${tenantId}`, `d-today${tenantId}`]);
    await all('imports', NOTHING);
    const refused = await outcomeOf(db.dispatcher, 'delete from imports where tenant_id = ?', [tenantId]);

    assert.equal(refused, 0);
    assert.deepEqual(await ids('imports'), [`c-running${tenantId}`, `d-today${tenantId}`]);
  });

  it('an ended import cannot keep the rows of its file', async () => {
    const row = { ...ended('over', 1), content: Buffer.from('x') };

    await assert.rejects(put('imports', row), /imports_content/);
  });

  it('deletes account mails, then their links, and keeps the link of a pending mail', async () => {
    const token = (id: string) =>
      put('one_time_tokens', {
        id: id + tenantId,
        user_id: userId,
        kind: 'password_reset',
        hash: id + tenantId,
        expires_at: daysAgo(40),
      });
    const mail = (id: string, fields: Readonly<Record<string, unknown>>) =>
      put('mails', { id: id + tenantId, user_id: userId, kind: 'password_reset', token_id: id + tenantId, ...fields });
    for (const id of ['a', 'b', 'c']) await token(id);
    await mail('a', { status: 'SENT', closed_at: daysAgo(40) });
    await mail('b', { status: 'PENDING', token_sealed: 'x' });

    const gone = [await all('one_time_tokens'), await all('account_mails'), await all('one_time_tokens')];

    assert.deepEqual(gone, [1, 1, 1]);
    assert.deepEqual(await ids('mails'), [`b${tenantId}`]);
    assert.deepEqual(await ids('one_time_tokens'), [`b${tenantId}`]);
  });

  it('continues in batches until nothing is left', async () => {
    await db.owner.raw(
      `insert into sessions (id, tenant_id, user_id, expires_at)
         select ? || n, ?, ?, now() - interval '60 days' from generate_series(1, 1001) n`,
      [tenantId, tenantId, userId],
    );

    const batches = [1, 2, 3].map(() => () => purge(db.dispatcher, 'sessions', KEPT));
    const sizes: number[] = [];
    for (const batch of batches) sizes.push(await batch());

    assert.deepEqual(sizes, [BATCH, BATCH, 1]);
  });

  it('never deletes rows younger than a day, because of the policies', async () => {
    const young = daysAgo(0.9);
    await delivery('over', young);
    await event('done', 0.9);
    await put('idempotency_keys', { scope: 's', fingerprint: 'x', attempt_id: 'x', created_at: young });
    await put('sessions', { id: tenantId, user_id: userId, expires_at: young });
    await put('one_time_tokens', {
      id: tenantId,
      user_id: userId,
      kind: 'invitation',
      hash: tenantId,
      expires_at: young,
    });
    await put('files', file('f', 'signed_pdf', 0.9));

    for (const chore of ['webhook_deliveries', 'outbox_events', 'sessions', 'one_time_tokens'] as const) {
      await all(chore, NOTHING);
    }
    const found = await idleFiles(db.dispatcher, NOTHING, { after: '', limit: 1000 });
    await forgetFiles(db.dispatcher, found, () => Promise.resolve());
    await outcomeOf(db.dispatcher, 'delete from idempotency_keys');

    assert.deepEqual(mine(found), ['f']);
    const left = ['webhook_deliveries', 'outbox_events', 'sessions', 'one_time_tokens', 'files'].map((table) =>
      ids(table),
    );
    assert.deepEqual(
      (await Promise.all([...left, ids('idempotency_keys', 'scope')])).map((rows) => rows.length),
      [1, 1, 1, 1, 1, 1],
    );
  });

  const file = (id: string, kind: string, days: number, sha256 = SHA) => ({
    id: id + tenantId,
    kind,
    quote_id: quoteId,
    storage_key: `t/${tenantId}/${id}`,
    content_type: 'application/pdf',
    size_bytes: 1,
    sha256,
    created_at: daysAgo(days),
  });
  const mine = (files: readonly IdleFile[]) =>
    files.filter((one) => one.tenantId === tenantId).map(({ id }) => id.replace(tenantId, ''));

  it('finds PDFs superseded 30 days ago and documents of signatures not given, and nothing else', async () => {
    const shown = 'b'.repeat(64);
    await put('files', file('logo', 'logo', 100));
    await put('files', file('orphan', 'signed_pdf', 2));
    await put('files', file('orphan-of-today', 'signed_pdf', 0.5));
    await put('files', file('shown', 'quote_pdf', 60, shown));
    await put('files', file('signed', 'signed_pdf', 50));
    await put('files', file('superseded', 'quote_pdf', 40));
    await put('files', file('superseded-late', 'quote_pdf', 20));
    await put('files', file('newest', 'quote_pdf', 10));
    await put('signatures', {
      id: tenantId,
      quote_id: quoteId,
      type: 'typed',
      signer_name: 'Laura',
      signer_email: 'laura@cliente.test',
      version: 1,
      snapshot: '{}',
      snapshot_sha256: SHA,
      pdf_sha256: SHA,
      pdf_file_id: `signed${tenantId}`,
      shown_pdf_sha256: shown,
      consent_text: 'x',
      ip: 'x',
      user_agent: 'x',
    });

    const found = await idleFiles(db.dispatcher, KEPT, { after: '', limit: 1000 });
    const refused = await outcomeOf(db.dispatcher, 'delete from files where id = any(?::text[])', [
      `{${['shown', 'signed', 'logo'].map((id) => id + tenantId).join()}}`,
    ]);

    assert.deepEqual(mine(found).toSorted(), ['orphan', 'superseded']);
    assert.equal(refused, 0);
  });

  it('keeps the row of a file whose object could not be deleted', async () => {
    await put('files', file('orphan', 'signed_pdf', 2));
    const found = (await idleFiles(db.dispatcher, KEPT, { after: '', limit: 1000 })).filter(
      (one) => one.tenantId === tenantId,
    );

    await assert.rejects(
      forgetFiles(db.dispatcher, found, () => Promise.reject(new Error('away'))),
      /away/,
    );
    const kept = await ids('files');
    const removed: string[] = [];
    await forgetFiles(db.dispatcher, found, async (key) => void removed.push(key));

    assert.deepEqual([kept, removed, await ids('files')], [[`orphan${tenantId}`], [`t/${tenantId}/orphan`], []]);
  });

  const reference = (fileId: string, untilVersion: number | null) => ({
    id: `${fileId}-${untilVersion}${tenantId}`,
    quote_id: quoteId,
    file_id: fileId + tenantId,
    position: 0,
    name: 'plano.pdf',
    content_type: 'application/pdf',
    size_bytes: 1,
    sha256: SHA,
    from_version: 1,
    until_version: untilVersion,
  });
  const attachment = (id: string, days: number) => ({ ...file(id, 'attachment', days), quote_id: null });

  it('finds attachments without a reference after a day, and never those of a version', async () => {
    await put('files', attachment('orphan', 2));
    await put('files', attachment('young', 0.5));
    await put('files', attachment('current', 50));
    await put('files', attachment('former', 50));
    await put('quote_attachments', reference('current', null));
    await put('quote_attachments', reference('former', 1));

    const found = await idleFiles(db.dispatcher, KEPT, { after: '', limit: 1000 });
    const refused = await outcomeOf(db.dispatcher, 'delete from files where id = any(?::text[])', [
      `{${['young', 'current', 'former'].map((id) => id + tenantId).join()}}`,
    ]);
    await forgetFiles(
      db.dispatcher,
      found.filter((one) => one.tenantId === tenantId),
      () => Promise.resolve(),
    );

    assert.deepEqual([mine(found), refused], [['orphan'], 0]);
    assert.deepEqual((await ids('files')).map((id) => id.replace(tenantId, '')).toSorted(), [
      'current',
      'former',
      'young',
    ]);
  });

  it('the file of an attachment cannot be deleted while a version refers to it, not even by the owner', async () => {
    await put('files', attachment('former', 50));
    await put('quote_attachments', reference('former', 1));

    const refused = await outcomeOf(db.owner, 'delete from files where id = ?', [`former${tenantId}`]);

    assert.equal(refused, '23503');
  });

  it('keeps an attachment that is uploaded again between the search and the deletion', async () => {
    await put('files', attachment('orphan', 2));
    const found = (await idleFiles(db.dispatcher, KEPT, { after: '', limit: 1000 })).filter(
      (one) => one.tenantId === tenantId,
    );
    await db.owner.raw('update files set created_at = now() where id = ?', [`orphan${tenantId}`]);
    const removed: string[] = [];

    await forgetFiles(db.dispatcher, found, async (key) => void removed.push(key));

    assert.deepEqual([found.length, removed, await ids('files')], [1, [], [`orphan${tenantId}`]]);
  });
});
