import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { beginAttempt, MAX_CONCURRENT_CALLS } from '../../db/webhooks/begin-attempt.ts';
import { recordSuccess } from '../../db/webhooks/record-attempt-result.ts';
import { eventually } from '../eventually.ts';
import { rowsOf } from './database.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';
import { deliveryRow, insertWebhook } from './rows.ts';

const OPTIONS = { pausesS: [5, 300], probeMs: 60_000 };
const RESPONSE = { statusCode: 200, errorCode: null, body: 'ok', durationMs: 3 };

describe('an attempt that begins', () => {
  let db: SeparateDatabase;
  let tenantId: string;
  let webhookId: string;

  before(async () => {
    db = await separateDatabase();
  });
  after(() => db.stop());
  beforeEach(async () => {
    tenantId = await db.tenant();
    webhookId = await insertWebhook(db.owner, tenantId);
  });

  async function delivery(): Promise<string> {
    const row = { ...deliveryRow(tenantId, webhookId), dispatched_at: new Date() };
    await db.owner('webhook_deliveries').insert(row);
    return row.id;
  }
  const begin = (id: string) => db.withTenant(tenantId, (trx) => beginAttempt(trx, id, OPTIONS));
  const record = (deliveryId: string, claimToken: string) =>
    db.withPipeline(tenantId, (tx) => recordSuccess(tx, { deliveryId, claimToken }, RESPONSE));
  const attemptsOf = (id: string) =>
    rowsOf<{ number: number; claim_token: string; status_code: number | null }>(
      db.owner,
      'select number, claim_token, status_code from webhook_attempts where delivery_id = ? order by number',
      [id],
    );

  it('finds no capacity beyond that of its endpoint when many begin together', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, delivery));

    const decisions = await Promise.all(ids.map(begin));

    const kinds = decisions.map(({ kind }) => kind).toSorted();
    const { endpoint } = MAX_CONCURRENT_CALLS;
    assert.deepEqual(kinds, ids.map((_, n) => (n < endpoint ? 'begin' : 'throttled')).toSorted());
  });

  it('takes the place of one that was lost, whose result is then superseded', async () => {
    const id = await delivery();
    const [lost, second] = [await begin(id), await begin(id)];
    assert.ok(lost.kind === 'begin' && second.kind === 'begin');

    const late = await record(id, lost.attempt.claimToken);
    const recorded = await record(id, second.attempt.claimToken);

    assert.deepEqual([late.result.kind, recorded.result.kind], ['superseded', 'delivered']);
    assert.deepEqual(await attemptsOf(id), [
      { number: 1, claim_token: second.attempt.claimToken, status_code: RESPONSE.statusCode },
    ]);
  });

  it('is superseded when an attempt of its number ended while it waited for the row', async () => {
    const id = await delivery();
    const other = await db.owner.transaction();
    await other.raw('select from webhook_deliveries where id = ? for update', [id]);
    const deciding = begin(id);
    await eventually(async () => {
      const waiting = await rowsOf(
        db.owner,
        `select pid from pg_locks where not granted
            and pid in (select pid from pg_stat_activity where datname = current_database())`,
      );
      assert.equal(waiting.length, 1);
    });
    const ended = { number: 1, claim_token: 'of the other', status_code: 500, finished_at: new Date() };
    await other('webhook_attempts').insert({ id: newId(), tenant_id: tenantId, delivery_id: id, ...ended });
    await other.commit();

    assert.equal((await deciding).kind, 'superseded');
    assert.deepEqual(await attemptsOf(id), [{ number: 1, claim_token: 'of the other', status_code: 500 }]);
  });

  it('frees the place of its delivery when it has ended, if others wait for one', async () => {
    const [first, second] = [await delivery(), await delivery()];
    const [one, two] = [await begin(first), await begin(second)];
    assert.ok(one.kind === 'begin' && two.kind === 'begin');

    const alone = await record(first, one.attempt.claimToken);
    const waiting = await delivery();
    await db.owner('webhook_deliveries').where({ id: waiting }).update({ dispatched_at: null });
    const beside = await record(second, two.attempt.claimToken);

    assert.deepEqual([alone.freesSlot, beside.freesSlot], [false, true]);
  });
});
