import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSecretBox, type SecretPlace, SecretUnreadable } from '../../adapters/crypto/secret-box.ts';
import { newId } from '../../db/ids.ts';
import { resealBatch, resealRows, SEALED_KINDS, columnOf } from '../../db/writes/reseal.ts';
import { rowsOf } from '../db/database.ts';
import { type SeparateDatabase, separateDatabase } from '../db/separate-database.ts';
import { command } from './commands.ts';
import { insertQuote } from '../db/rows.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, FRESH] = [key('k1'), key('k2')];

describe('secrets rotate', () => {
  let db: SeparateDatabase;
  const old = createSecretBox(OLD);

  before(async () => {
    db = await separateDatabase();
  });
  after(() => db.stop());

  const rotate = (keys: string) =>
    command(
      { DATABASE_URL: db.urls.app, DATABASE_DISPATCHER_URL: db.urls.dispatcher, ENCRYPTION_KEYS: keys },
      'secrets',
      'rotate',
    );
  const put = (tenantId: string, table: string, row: object) => db.owner(table).insert({ tenant_id: tenantId, ...row });

  /** A business with webhooks whose secrets are sealed with the old key. */
  async function business(webhooks: number) {
    const tenantId = await db.tenant();
    const ids = Array.from({ length: webhooks }, () => newId());
    for (const id of ids) {
      await put(tenantId, 'webhooks', {
        id,
        url: 'https://ejemplo.test',
        events: ['quote.created'],
        secret_sealed: old.seal(`secreto de ${id}`, { purpose: 'webhook_secret', rowId: id }),
        secret_last4: 'abcd',
      });
    }
    return { tenantId, ids };
  }

  const columns = async (sql: string): Promise<{ place: SecretPlace; sealed: string }[]> =>
    (await rowsOf<{ id: string; sealed: string; purpose: SecretPlace['purpose'] }>(db.owner, sql)).map(
      ({ id, sealed, purpose }) => ({ place: { purpose, rowId: id }, sealed }),
    );
  const EVERYTHING = `
    select id, secret_sealed as sealed, 'webhook_secret' as purpose from webhooks
    union all select id, previous_secret_sealed, 'webhook_secret' from webhooks where previous_secret_sealed is not null
    union all select id, public_token_sealed, 'public_token' from quotes
    union all select id, token_sealed, 'one_time_token' from mails where token_sealed is not null
    union all select user_id, secret_sealed, 'two_factor_secret' from two_factors
    union all select scope, answer_sealed, 'idempotent_answer' from idempotency_keys where answer_sealed is not null`;

  it('knows every column that holds a sealed text', async () => {
    const found = await rowsOf<{ name: string }>(
      db.owner,
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name like '%\\_sealed' order by 1`,
    );

    assert.deepEqual(
      SEALED_KINDS.map(columnOf).toSorted(),
      found.map(({ name }) => name),
    );
  });

  it('seals everything anew with the first key, so that the old one can be taken away; a second time does nothing', async () => {
    const { tenantId, ids } = await business(205);
    const [tokenId, mailId] = [newId(), newId()];
    const seal = (rowId: string, purpose: SecretPlace['purpose']) =>
      old.seal(`secreto de ${rowId}`, { purpose, rowId });
    await db
      .owner('webhooks')
      .where('id', ids[0])
      .update({
        previous_secret_sealed: seal(ids[0] ?? '', 'webhook_secret'),
        previous_valid_until: new Date(),
      });
    const { userId, quoteId } = await insertQuote(db.owner, tenantId);
    await db
      .owner('quotes')
      .where('id', quoteId)
      .update({ public_token_sealed: seal(quoteId, 'public_token') });
    await put(tenantId, 'one_time_tokens', {
      id: tokenId,
      user_id: userId,
      kind: 'password_reset',
      hash: tokenId,
      expires_at: new Date(),
    });
    await put(tenantId, 'mails', {
      id: mailId,
      kind: 'password_reset',
      user_id: userId,
      token_id: tokenId,
      token_sealed: seal(mailId, 'one_time_token'),
    });
    await put(tenantId, 'two_factors', { user_id: userId, secret_sealed: seal(userId, 'two_factor_secret') });
    await put(tenantId, 'idempotency_keys', {
      scope: 'alcance',
      fingerprint: 'x',
      attempt_id: 'x',
      answer_sealed: seal('alcance', 'idempotent_answer'),
    });

    const first = await rotate(`${FRESH},${OLD}`);
    const second = await rotate(`${FRESH},${OLD}`);

    assert.deepEqual([first.code, second.code], [0, 0], first.complaint + second.complaint);
    const names = SEALED_KINDS.map(columnOf);
    assert.equal(first.out, names.map((name, i) => `${name}\t${[205, 1, 1, 1, 1, 1][i]}\t0\n`).join(''));
    assert.equal(second.out, names.map((name) => `${name}\t0\t0\n`).join(''));
    const fresh = createSecretBox(FRESH);
    const stored = await columns(EVERYTHING);
    assert.deepEqual(
      stored.map(({ sealed, place }) => fresh.open(sealed, place)),
      stored.map(({ place }) => `secreto de ${place.rowId}`),
    );
    assert.equal(stored.length, 210);
  });

  it('leaves rows as they are that it cannot read, counts them and ends with 1, and renews the others', async () => {
    const { ids } = await business(3);
    const [moved = '', from = ''] = ids;
    await db.owner.raw(
      'update webhooks set secret_sealed = (select secret_sealed from webhooks where id = ?) where id = ?',
      [from, moved],
    );

    const { code, out, complaint } = await rotate(`${FRESH},${OLD}`);

    assert.equal(code, 1);
    assert.match(out, /^webhooks\.secret_sealed\t2\t1$/m);
    assert.match(complaint, /^1 secretos no se pudieron leer/);
    const [row] = await columns(
      `select id, secret_sealed as sealed, 'webhook_secret' as purpose from webhooks where id = '${moved}'`,
    );
    assert.ok(row?.sealed.startsWith('k1.'));
    assert.throws(() => old.open(row?.sealed ?? '', { purpose: 'webhook_secret', rowId: moved }), SecretUnreadable);
    await db.owner('webhooks').where('id', moved).delete();
  });

  it('keeps what the service writes between its read and its write', async () => {
    const { tenantId, ids } = await business(1);
    const [id = ''] = ids;
    const newer = createSecretBox(FRESH).seal('nuevo', { purpose: 'webhook_secret', rowId: id });

    const { renewed } = await db.withTenant(tenantId, async (trx) => {
      const read = await rowsOf<{ sealed: string }>(trx, 'select secret_sealed as sealed from webhooks where id = ?', [
        id,
      ]);
      await db.owner('webhooks').where('id', id).update({ secret_sealed: newer });
      // What was read before the other write, as if this batch had been slower.
      return resealRows(trx, [{ id, sealed: read[0]?.sealed ?? '' }], {
        kind: 'webhookSecret',
        reseal: () => 'k2.2.stale',
      });
    });

    assert.equal(renewed, 0);
    assert.deepEqual(
      (
        await columns(
          `select id, secret_sealed as sealed, 'webhook_secret' as purpose from webhooks where id = '${id}'`,
        )
      ).map(({ sealed }) => sealed),
      [newer],
    );
  });

  it('an interrupted rotation resumes, and skips what is sealed with the first key already', async () => {
    const { tenantId, ids } = await business(4);
    const both = createSecretBox(`${FRESH},${OLD}`);
    const [written = ''] = ids.toSorted();
    const place = { purpose: 'webhook_secret', rowId: written } as const;

    const reseal = ({ id, sealed }: { readonly id: string; readonly sealed: string }) => {
      const at = { purpose: 'webhook_secret', rowId: id } as const;
      return both.seal(both.open(sealed, at), at);
    };
    const batch = await db.withTenant(tenantId, (trx) =>
      resealBatch(trx, { kind: 'webhookSecret', newest: both.newest, after: '', limit: 2, reseal }),
    );
    assert.deepEqual([batch.renewed, batch.unreadable, batch.after], [2, [], ids.toSorted()[1]]);
    await db
      .owner('webhooks')
      .where('id', written)
      .update({ secret_sealed: both.seal('nuevo', place) });

    const { out } = await rotate(`${FRESH},${OLD}`);

    assert.match(out, /^webhooks\.secret_sealed\t2\t0$/m);
    const rows = await columns(
      `select id, secret_sealed as sealed, 'webhook_secret' as purpose from webhooks where tenant_id = '${tenantId}' order by id`,
    );
    const fresh = createSecretBox(FRESH);
    assert.deepEqual(
      rows.map(({ sealed, place: at }) => fresh.open(sealed, at)),
      ids.toSorted().map((id, i) => (i === 0 ? 'nuevo' : `secreto de ${id}`)),
    );
  });
});
