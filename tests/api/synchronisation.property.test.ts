import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { createWithTenant, type WithTenant } from '../../db/with-tenant.ts';
import { closeAfterTests, testStack } from '../stack.ts';
import * as build from './build.ts';
import { idsByCursor, manyQuotes, webhookWithDeliveries } from './cursor-lists.ts';
import { Replica, type Synchronised } from './replica.ts';
import { type Service, service } from './service.ts';

/** A concurrent transaction: the records that it changes, with pauses before each and before its end, in milliseconds. */
interface Change {
  readonly begins: number;
  readonly steps: readonly { readonly record: number; readonly pause: number }[];
  readonly isNew: boolean;
  readonly isRolledBack: boolean;
}

const MAX_PAUSE_MS = 12;
const pause = () => fc.nat({ max: MAX_PAUSE_MS });
const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    begins: fc.nat({ max: 60 }),
    steps: fc.array(fc.record({ record: fc.nat({ max: 5 }), pause: pause() }), { minLength: 1, maxLength: 3 }),
    isNew: fc.boolean(),
    isRolledBack: fc.nat({ max: 4 }).map((n) => n === 0),
  }),
  { minLength: 10, maxLength: 25 },
);

describe('Synchronisation with updatedSince while transactions of any length overlap', function () {
  this.timeout(120_000);
  let app: Service;
  /** With as many connections as transactions; those of the API are shared out between businesses. */
  let withTenant: WithTenant;
  before(async () => {
    app = await service();
    const { env } = await testStack();
    const knex = connect({ url: env['DATABASE_URL'] ?? '', pool: 30, applicationName: 'quoting-test' });
    withTenant = createWithTenant(knex, () => undefined);
    closeAfterTests(() => knex.destroy());
  });

  async function make({ tenantId }: build.Business, ids: readonly string[], change: Change): Promise<void> {
    await sleep(change.begins);
    const work = withTenant(tenantId, async (trx) => {
      // In one order, so that two of them never wait for each other.
      for (const { record, pause: ms } of change.steps.toSorted((one, other) => one.record - other.record)) {
        // First, so that some transactions begin long before their first change.
        await sleep(ms);
        await Client.query(trx)
          .findOne({ tenantId, id: ids[record] ?? '' })
          .patch({ notes: newId() });
      }
      if (change.isNew) await Client.query(trx).insert({ id: newId(), tenantId, contactName: 'Nueva' });
      await sleep(change.steps[0]?.pause);
      if (change.isRolledBack) throw new Error('rolled back');
    });
    await work.catch((error: unknown) => assert.match(String(error), /rolled back/));
  }

  it('a replica has every record as it is, and reads none twice but the last ones of the round before', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const business = await build.business();
        const ids = await Promise.all(Array.from({ length: 6 }, async () => (await build.client(business.owner)).id));
        const replica = new Replica('/api/clients', business.owner, 3);
        const rounds: (readonly Synchronised[])[] = [];
        let isOver = false;

        const working = Promise.all(all.map((change) => make(business, ids, change))).finally(() => (isOver = true));
        while (!isOver) rounds.push(await replica.round());
        await working;
        rounds.push(await replica.round());

        assert.deepEqual([...replica.rows.values()].toSorted(byId), (await everyClient(business)).toSorted(byId));
        assert.deepEqual(repeated(rounds), []);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  const byId = (one: Synchronised, other: Synchronised) => (one.id < other.id ? -1 : 1);

  const everyClient = async ({ owner }: build.Business): Promise<readonly Synchronised[]> =>
    (await app.get('/api/clients?limit=100', owner)).body.data;

  /** Records that were read again unchanged, except those of the last millisecond of the round before. */
  function repeated(rounds: readonly (readonly Synchronised[])[]): readonly string[] {
    const seen = new Set<string>();
    let since = '';
    return rounds.flatMap((round) => {
      const again = round
        .filter(({ updatedAt }) => updatedAt > since)
        .map(({ id, updatedAt }) => `${id} ${updatedAt}`)
        .filter((version) => seen.has(version));
      for (const { id, updatedAt } of round) seen.add(`${id} ${updatedAt}`);
      since = round.at(-1)?.updatedAt ?? since;
      return again;
    });
  }
});

describe('Pages by cursor while records are added, changed and deleted', function () {
  this.timeout(120_000);
  let app: Service;
  before(async () => {
    app = await service();
  });

  const SORTS = ['quoteNumber', 'createdAt', 'expiresAt', 'total'].flatMap((column) => [column, `-${column}`]);

  it('quotes that nobody changes are read exactly once, and new ones at most once, in every order', async () => {
    const business = await build.business();
    const { tenantId, userId, owner } = business;
    await manyQuotes(business, { count: 15, userIds: [userId] });
    const edits = fc.array(fc.record({ quote: fc.nat({ max: 4 }), total: fc.nat({ max: 9 }) }), { maxLength: 3 });

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...SORTS), fc.infiniteStream(edits), async (sort, stream) => {
        const before = (await app.get(`/api/quotes?limit=100&sort=${sort}`, owner)).body.data as { id: string }[];
        const edited = before.slice(0, 5).map(({ id }) => id);
        const unchanged = before.slice(5).map(({ id }) => id);

        const pages = await idsByCursor('/api/quotes', { sort, limit: '4' }, owner, async () => {
          await build.quote(owner);
          const { value = [] } = stream.next();
          await app.deps.withTenant(tenantId, async (trx) => {
            for (const { quote, total } of value) {
              const amount = String(100 + total);
              await trx('quotes')
                .where({ tenantId, id: edited[quote] ?? '' })
                .update({
                  subtotal: amount,
                  tax: '0',
                  total: amount,
                  expiresAt: `2027-11-0${total + 1 > 9 ? 9 : total + 1}`,
                });
            }
          });
        });

        const read = pages.flat();
        assert.deepEqual(
          read.filter((id) => unchanged.includes(id)),
          unchanged,
        );
        const others = read.filter((id) => !edited.includes(id));
        assert.equal(new Set(others).size, others.length);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });

  it('deliveries that stay are read exactly once while others are added and deleted', async () => {
    const business = await build.business();
    const { tenantId, owner } = business;
    const webhookId = await webhookWithDeliveries(business);
    const path = `/api/webhooks/${webhookId}/deliveries`;
    const all = (await app.get(`${path}?limit=100`, owner)).body.data as { id: string }[];
    const [deleted, kept] = [all.filter((_, n) => n % 3 === 1), all.filter((_, n) => n % 3 !== 1)];

    const pages = await idsByCursor(path, { limit: '2' }, owner, async () => {
      const { id = '' } = deleted.pop() ?? {};
      await app.deps.withTenant(tenantId, async (trx) => {
        await WebhookDelivery.query(trx).delete().where({ tenantId, id });
        const like = await trx('webhookDeliveries').where({ tenantId, webhookId }).first<Record<string, unknown>>();
        await trx('webhookDeliveries').insert({ ...like, id: newId(), eventId: newId(), createdAt: new Date() });
      });
    });

    const read = pages.flat();
    const keptIds = new Set(kept.map(({ id }) => id));
    assert.deepEqual(
      read.filter((id) => keptIds.has(id)),
      [...keptIds],
    );
    assert.equal(new Set(read).size, read.length);
  });
});
