import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { newId } from '../../db/ids.ts';
import { createNudge, OUTBOX_CHANNEL } from '../../db/with-tenant.ts';
import { createWithTenant, tenantOf, type TenantTransaction, type WithTenant } from '../../db/with-tenant.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import { registerTenant } from '../../db/writes/register-tenant.ts';
import { eventually } from '../eventually.ts';
import { rowsOf, type TestDatabase, testDatabase } from './database.ts';

describe('withTenant', () => {
  let db: TestDatabase;
  let withTenant: WithTenant;
  let nudges: number;
  before(async () => {
    db = await testDatabase();
    withTenant = createWithTenant(db.app, () => (nudges += 1));
  });
  beforeEach(() => {
    nudges = 0;
  });

  async function newTenant(): Promise<string> {
    const tenantId = newId();
    const owner = { name: 'Diana', email: `${tenantId}@dueno.test`, passwordHash: 'x' };
    await withTenant(tenantId, (trx) =>
      registerTenant(trx, {
        tenantId,
        businessName: 'Acme',
        plan: 'FREE',
        isVerified: true,
        owner,
        by: { kind: 'user', requestId: null },
      }),
    );
    return tenantId;
  }
  const addClient = { contactName: 'Laura' };
  const event = { type: 'client.created', data: {}, requestId: null } as const;
  const clientsOf = (tenantId: string) => rowsOf(db.owner, 'select id from clients where tenant_id = ?', [tenantId]);

  it('runs with the tenant set, for that transaction alone', async () => {
    const tenantId = await newTenant();

    const inside = await withTenant(tenantId, async (trx) => [
      tenantOf(trx),
      await rowsOf(trx, `select current_setting('app.tenant_id', true) as tenant`),
    ]);

    assert.deepEqual(inside, [tenantId, [{ tenant: tenantId }]]);
  });

  it('keeps many transactions of different tenants apart on one pool', async () => {
    const tenants = await Promise.all(Array.from({ length: 20 }, newTenant));

    const seen = await Promise.all(
      tenants.map((tenantId) => withTenant(tenantId, (trx) => rowsOf<{ id: string }>(trx, 'select id from tenants'))),
    );

    assert.deepEqual(
      seen,
      tenants.map((id) => [{ id }]),
    );
  });

  it('a snapshot shows every statement the same rows, despite concurrent commits, and is read-only', async () => {
    const tenantId = await newTenant();
    const add = () =>
      withTenant(tenantId, (trx) => trx('clients').insert({ id: newId(), tenantId, contactName: 'Laura' }));
    const count = async (trx: TenantTransaction) => (await rowsOf(trx, 'select id from clients')).length;
    const lookTwice = async (trx: TenantTransaction) => [await count(trx), await add().then(() => count(trx))];

    const together = await withTenant(tenantId, lookTwice, { isSnapshot: true });
    const apart = await withTenant(tenantId, lookTwice);

    assert.deepEqual(
      [together, apart],
      [
        [0, 0],
        [1, 2],
      ],
    );
    const write = withTenant(tenantId, (trx) => trx('clients').delete(), { isSnapshot: true });
    await assert.rejects(write, { code: '25006' }); // read_only_sql_transaction
  });

  it('rejects an invalid id before it opens a transaction', async () => {
    let ran = false;
    const refused = ['', 'x', "c'; drop table quotes; --aaaaaaaaaaa", `${newId()} `, `${newId()}\n`].map((tenantId) =>
      withTenant(tenantId, () => Promise.resolve((ran = true))).catch(String),
    );

    assert.deepEqual(new Set(await Promise.all(refused)), new Set(['Error: not a tenant id']));
    assert.equal(ran, false);
  });

  it('commits the changes of the function and returns its result', async () => {
    const tenantId = await newTenant();

    const id = await withTenant(tenantId, async (trx) => {
      const clientId = newId();
      await trx('clients').insert({ id: clientId, tenantId, ...addClient });
      return clientId;
    });

    assert.deepEqual(await clientsOf(tenantId), [{ id }]);
  });

  it('rolls everything back when the function throws, and throws the same error', async () => {
    const tenantId = await newTenant();
    const bug = new Error('a bug');

    const run = withTenant(tenantId, async (trx) => {
      await trx('clients').insert({ id: newId(), tenantId, ...addClient });
      throw bug;
    });

    await assert.rejects(run, (error) => error === bug);
    assert.deepEqual(await clientsOf(tenantId), []);
  });

  describe('nudge', () => {
    it('is sent once after a commit that wrote any number of events', async () => {
      const tenantId = await newTenant();

      await withTenant(tenantId, async (trx) => {
        await recordEvent(trx, event);
        await recordEvent(trx, event);
        assert.equal(nudges, 0);
      });

      assert.equal(nudges, 1);
    });

    it('is not sent when no event was recorded', async () => {
      await newTenant();

      assert.equal(nudges, 0);
    });

    it('is not sent when the transaction was rolled back', async () => {
      const tenantId = await newTenant();

      const run = withTenant(tenantId, async (trx) => {
        await recordEvent(trx, event);
        throw new Error('a bug');
      });

      await assert.rejects(run);
      assert.equal(nudges, 0);
    });

    it('reaches a listening dispatcher once the event is visible', async () => {
      const tenantId = await newTenant();
      const listener = new Client({ connectionString: db.urls.dispatcher });
      await listener.connect();
      await listener.query(`listen ${OUTBOX_CHANNEL}`);
      const heard = once(listener, 'notification');

      await createWithTenant(db.app, createNudge(db.app))(tenantId, (trx) => recordEvent(trx, event));

      await heard;
      const { rows } = await listener.query('select type from outbox_events where tenant_id = $1', [tenantId]);
      await listener.end();
      assert.deepEqual(rows, [{ type: 'client.created' }]);
    });

    it('is one notification for the first of many commits, and one for all that follow within the interval', async () => {
      const listener = new Client({ connectionString: db.urls.dispatcher });
      await listener.connect();
      await listener.query(`listen ${OUTBOX_CHANNEL}`);
      let heard = 0;
      listener.on('notification', () => (heard += 1));
      const nudge = createNudge(db.app, 200);

      for (let commit = 0; commit < 20; commit++) nudge();

      await eventually(() => assert.equal(heard, 2));
      await sleep(400);
      await listener.end();
      assert.equal(heard, 2);
    });
  });
});
