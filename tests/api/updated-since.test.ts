import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { countQuoteView } from '../../db/writes/count-quote-view.ts';
import { needs } from '../stack.ts';
import { attach } from './attachment-files.ts';
import * as build from './build.ts';
import { LONG_AGO, Replica } from './replica.ts';
import { type Service, service } from './service.ts';

needs('storage');

describe('updatedSince', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  /** Ends transactions that a failed test left open. */
  const endings: (() => Promise<unknown>)[] = [];
  afterEach(() => Promise.allSettled(endings.splice(0).map((end) => end())));

  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

  /** A transaction of the business that did its work and is open until `commit` is called. */
  async function openTransaction(
    { tenantId }: build.Business,
    work: (trx: TenantTransaction) => PromiseLike<unknown>,
    atTheEnd: (trx: TenantTransaction) => PromiseLike<unknown> = () => Promise.resolve(),
  ): Promise<{ commit: () => Promise<void> }> {
    let commit: () => void = () => undefined;
    const isToEnd = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const ended = app.deps.withTenant(tenantId, async (trx) => {
      await work(trx);
      begun();
      await isToEnd;
      await atTheEnd(trx);
    });
    await Promise.race([hasBegun, ended]);
    const end = async () => {
      commit();
      await ended;
    };
    endings.push(end);
    return { commit: end };
  }

  const rename = (tenantId: string, id: string) => (trx: TenantTransaction) =>
    Client.query(trx).findOne({ tenantId, id }).patch({ notes: newId() });

  describe('of clients', () => {
    it('answers {data, nextCursor} in the order of changes, deactivated ones included', async () => {
      const business = await build.business();
      const [first, second, third] = [
        await build.client(business.owner),
        await build.client(business.owner),
        await build.client(business.owner),
      ];
      await app.patch(`/api/clients/${second.id}`, { notes: 'Hola' }, business.owner);
      await app.request('DELETE', `/api/clients/${first.id}`, { headers: business.owner });

      const { body } = await app.get(`/api/clients?updatedSince=${LONG_AGO}`, business.owner);

      assert.deepEqual(Object.keys(body), ['data', 'nextCursor']);
      assert.deepEqual(idsOf(body.data), [third.id, second.id, first.id]);
      assert.deepEqual([body.data[2].isActive, body.nextCursor], [false, null]);
    });

    it('includes the moment itself and nothing earlier', async () => {
      const business = await build.business();
      await build.client(business.owner);
      await sleep(2);
      const { id } = await build.client(business.owner);
      const { body: second } = await app.get(`/api/clients/${id}`, business.owner);

      const { body } = await app.get(`/api/clients?updatedSince=${second.updatedAt}`, business.owner);
      const later = new Date(Date.parse(second.updatedAt) + 1).toISOString();
      const { body: none } = await app.get(`/api/clients?updatedSince=${later}`, business.owner);

      assert.deepEqual([idsOf(body.data), idsOf(none.data)], [[id], []]);
    });

    it('combines with filters', async () => {
      const business = await build.business();
      const { id } = await build.client(business.owner);
      await build.client(business.owner, { contactName: 'Otro' });

      const { body } = await app.get(`/api/clients?updatedSince=${LONG_AGO}&search=laura&active=true`, business.owner);

      assert.deepEqual(idsOf(body.data), [id]);
    });

    it('withholds what others commit while an earlier change is open, and then answers both', async () => {
      const business = await build.business();
      const slow = await build.client(business.owner);
      const replica = new Replica('/api/clients', business.owner);
      await replica.round();
      const open = await openTransaction(business, rename(business.tenantId, slow.id));
      const quick = await build.client(business.owner);

      const during = await replica.round();
      await open.commit();
      const after = await replica.round();

      assert.deepEqual(
        during.filter(({ id }) => id === quick.id),
        [],
      );
      assert.deepEqual(idsOf(after).slice(-2), [slow.id, quick.id]);
    });

    it('loses no change of a transaction that began before and changes something after a round', async () => {
      const business = await build.business();
      const slow = await build.client(business.owner);
      const replica = new Replica('/api/clients', business.owner);
      const open = await openTransaction(
        business,
        (trx) => Client.query(trx).where({ tenantId: business.tenantId }),
        rename(business.tenantId, slow.id),
      );
      await sleep(2);
      const quick = await build.client(business.owner);

      const during = await replica.round();
      await open.commit();
      const after = await replica.round();

      assert.deepEqual(idsOf(during), [slow.id, quick.id]);
      assert.deepEqual(idsOf(after), [quick.id, slow.id]);
    });

    it('loses no change of a transaction that commits between two pages', async () => {
      const business = await build.business();
      const slow = await build.client(business.owner);
      for (let n = 0; n < 4; n += 1) await build.client(business.owner);
      await sleep(2);
      const open = await openTransaction(business, rename(business.tenantId, slow.id));
      for (let n = 0; n < 4; n += 1) await build.client(business.owner);
      const replica = new Replica('/api/clients', business.owner, 2);

      await replica.round(open.commit);
      await replica.round();

      const { body } = await app.get('/api/clients?limit=100', business.owner);
      assert.equal(body.total, 9);
      assert.deepEqual(
        body.data.filter(
          ({ id, updatedAt }: { id: string; updatedAt: string }) => replica.rows.get(id)?.updatedAt !== updatedAt,
        ),
        [],
      );
    });

    it('does not wait for a change that was rolled back', async () => {
      const business = await build.business();
      const { id } = await build.client(business.owner);
      const open = await openTransaction(business, rename(business.tenantId, id), () =>
        Promise.reject(new Error('no')),
      );
      await assert.rejects(open.commit);
      const quick = await build.client(business.owner);

      const { body } = await app.get(`/api/clients?updatedSince=${LONG_AGO}`, business.owner);

      assert.deepEqual(idsOf(body.data), [id, quick.id]);
    });

    it('does not wait for the open changes of another business', async () => {
      const [business, other] = [await build.business(), await build.business()];
      const theirs = await build.client(other.owner);
      const open = await openTransaction(other, rename(other.tenantId, theirs.id));
      const { id } = await build.client(business.owner);

      const { body } = await app.get(`/api/clients?updatedSince=${LONG_AGO}`, business.owner);
      await open.commit();

      assert.deepEqual(idsOf(body.data), [id]);
    });
  });

  describe('of quotes', () => {
    const updatedAtOf = async ({ owner }: build.Business, id: string): Promise<string> => {
      const { body } = await app.get(`/api/quotes?updatedSince=${LONG_AGO}&limit=100`, owner);
      return body.data.find((quote: { id: string }) => quote.id === id).updatedAt;
    };

    it('answers {data, nextCursor} in the order of changes, with updatedAt, which other lists do not have', async () => {
      const business = await build.business();
      const first = await build.quote(business.owner);
      const second = await build.quote(business.owner);
      await app.patch(`/api/quotes/${first.id}/status`, { status: 'SENT' }, business.owner);

      const { body } = await app.get(`/api/quotes?updatedSince=${LONG_AGO}`, business.owner);
      const { body: plain } = await app.get('/api/quotes', business.owner);

      assert.deepEqual(Object.keys(body), ['data', 'nextCursor']);
      assert.deepEqual(idsOf(body.data), [second.id, first.id]);
      assert.ok(body.data[0].updatedAt < body.data[1].updatedAt);
      assert.deepEqual({ ...body.data[0], updatedAt: undefined }, { ...plain.data[0], updatedAt: undefined });
      assert.ok(!('updatedAt' in plain.data[0]));
    });

    it('shows a collaborator their own', async () => {
      const business = await build.business();
      const { as } = await build.member(business);
      await build.quote(business.owner);
      const own = await build.quote(as);

      const { body } = await app.get(`/api/quotes?updatedSince=${LONG_AGO}`, as);

      assert.deepEqual(idsOf(body.data), [own.id]);
    });

    it('withholds what others commit while an earlier change is open, and then answers both', async () => {
      const business = await build.business();
      const slow = await build.quote(business.owner);
      const replica = new Replica('/api/quotes', business.owner);
      await replica.round();
      const open = await openTransaction(business, (trx) =>
        trx('quotes').where({ id: slow.id }).update({ title: 'Otro' }),
      );
      const quick = await build.quote(business.owner);

      const during = await replica.round();
      await open.commit();
      const after = await replica.round();

      assert.deepEqual(
        during.filter(({ id }) => id === quick.id),
        [],
      );
      assert.deepEqual(idsOf(after).slice(-2), [slow.id, quick.id]);
    });

    type Change = (business: build.Business, quote: Awaited<ReturnType<typeof build.sentQuote>>) => Promise<unknown>;
    const label = async ({ owner }: build.Business) =>
      (await app.post('/api/labels', { name: newId(), color: '#ff0000' }, owner)).body.id as string;
    const labelled: Change = async (business, { id }) =>
      app.post(`/api/quotes/${id}/labels/${await label(business)}`, {}, business.owner);

    const CHANGES: readonly [what: string, change: Change][] = [
      ['a new validity', ({ owner }, { id }) => app.patch(`/api/quotes/${id}`, { validUntil: inDays(20) }, owner)],
      ['a status', ({ owner }, { id }) => app.patch(`/api/quotes/${id}/status`, { status: 'WON' }, owner)],
      [
        'a revision',
        ({ owner }, { id, client }) =>
          app.post(`/api/quotes/${id}/revise`, { clientId: client.id, items: [build.ITEM] }, owner),
      ],
      ['an acceptance', (_, { portal }) => app.post(`${portal}/accept`, build.SIGNER)],
      ['a rejection', (_, { portal }) => app.post(`${portal}/reject`, { reason: 'Caro', version: 1 })],
      ['an attachment', ({ owner }, { id }) => attach(app, owner, id)],
      ['a label', labelled],
      [
        'a label that is removed',
        async (business, quote) => {
          await labelled(business, quote);
          const { labelId } = await labelOf(business, quote.id);
          return app.request('DELETE', `/api/quotes/${quote.id}/labels/${labelId}`, { headers: business.owner });
        },
      ],
      [
        'a label that is deleted',
        async (business, quote) => {
          await labelled(business, quote);
          const { labelId } = await labelOf(business, quote.id);
          return app.request('DELETE', `/api/labels/${labelId}`, { headers: business.owner });
        },
      ],
      [
        'another creator',
        async (business) => {
          const { userId } = await build.member(business);
          return app.post(`/api/collaborators/${business.userId}/transfer`, { toUserId: userId }, business.owner);
        },
      ],
    ];
    for (const [what, change] of CHANGES) {
      it(`${what} raises updatedAt`, async () => {
        const business = await build.business();
        // On FREE attachments of a sent quote may change; the other changes need PRO.
        const quote = await build.sentQuote(business);
        await build.patchTenant(business, { plan: what === 'an attachment' ? 'FREE' : 'PRO' });
        const before = await updatedAtOf(business, quote.id);
        await sleep(2);

        await change(business, quote);

        assert.ok((await updatedAtOf(business, quote.id)) > before);
      });
    }

    const UNCHANGED: readonly [what: string, happening: Change][] = [
      [
        'a view',
        ({ tenantId }, { id }) =>
          app.deps.withTenant(tenantId, (trx) =>
            countQuoteView(trx, { tenantId, quoteId: id, viewer: newId(), requestId: 'x' }),
          ),
      ],
      [
        'a new name of its client',
        ({ owner }, { client }) => app.patch(`/api/clients/${client.id}`, { contactName: 'Otra' }, owner),
      ],
      ['the same status', ({ owner }, { id }) => app.patch(`/api/quotes/${id}/status`, { status: 'SENT' }, owner)],
      [
        'another name of its label',
        async (business, { id }) => {
          const { labelId } = await labelOf(business, id);
          return app.patch(`/api/labels/${labelId}`, { name: newId() }, business.owner);
        },
      ],
      [
        'the label that it has',
        async (business, { id }) => {
          const { labelId } = await labelOf(business, id);
          return app.post(`/api/quotes/${id}/labels/${labelId}`, {}, business.owner);
        },
      ],
    ];
    for (const [what, happening] of UNCHANGED) {
      it(`${what} leaves updatedAt as it is`, async () => {
        const business = await build.business();
        const quote = await build.sentQuote(business);
        await labelled(business, quote);
        const before = await updatedAtOf(business, quote.id);
        await sleep(2);

        await happening(business, quote);

        assert.equal(await updatedAtOf(business, quote.id), before);
      });
    }

    const labelOf = async ({ tenantId }: build.Business, quoteId: string) => {
      const row = await app.deps.withTenant(tenantId, (trx) =>
        trx('quoteLabels').where({ tenantId, quoteId }).first<{ labelId: string }>(),
      );
      assert.ok(row);
      return row;
    };
  });

  describe('is refused with 400', () => {
    let business: build.Business;
    before(async () => {
      business = await build.business();
      for (let n = 0; n < 3; n += 1) await build.client(business.owner);
    });

    const REFUSED: readonly [what: string, path: string, message: string][] = [
      ['a text that is no time', '/api/clients?updatedSince=ayer', 'updatedSince: debe ser una fecha y hora ISO 8601'],
      ['a day', '/api/clients?updatedSince=2026-11-30', 'updatedSince: debe ser una fecha y hora ISO 8601'],
      [
        'a time without offset',
        '/api/quotes?updatedSince=2026-11-30T10:00:00',
        'updatedSince: debe ser una fecha y hora ISO 8601',
      ],
      [
        'a day that does not exist',
        '/api/quotes?updatedSince=2026-02-30T10:00:00Z',
        'updatedSince: debe ser una fecha y hora ISO 8601',
      ],
      [
        'a leap second',
        '/api/quotes?updatedSince=2016-12-31T23:59:60Z',
        'updatedSince: debe ser una fecha y hora ISO 8601',
      ],
      [
        'a year of five digits',
        '/api/clients?updatedSince=%2B12026-01-01T00:00:00Z',
        'updatedSince: debe ser una fecha y hora ISO 8601',
      ],
      ['two times', `/api/clients?updatedSince=${LONG_AGO}&updatedSince=${LONG_AGO}`, 'updatedSince: debe ser texto'],
      [
        'a page number',
        `/api/clients?updatedSince=${LONG_AGO}&page=2`,
        'page: no se combina con cursor ni con updatedSince',
      ],
      ['an order', `/api/quotes?updatedSince=${LONG_AGO}&sort=total`, 'sort: no se combina con updatedSince'],
    ];
    for (const [what, path, message] of REFUSED) {
      it(`with ${what}`, async () => {
        const res = await app.get(path, business.owner);

        assert.deepEqual([res.status, res.body.error], [400, message]);
      });
    }

    it('with the cursor of another moment', async () => {
      const { body } = await app.get(`/api/clients?updatedSince=${LONG_AGO}&limit=1`, business.owner);

      const other = await app.get(
        `/api/clients?updatedSince=2001-01-01T00:00:00Z&limit=1&cursor=${body.nextCursor}`,
        business.owner,
      );
      const none = await app.get(`/api/clients?limit=1&cursor=${body.nextCursor}`, business.owner);

      assert.deepEqual([other.status, none.status], [400, 400]);
    });

    it('not with the farthest times', async () => {
      const { body: first } = await app.get('/api/clients?updatedSince=0000-01-01T00:00:00Z', business.owner);
      const { body: last } = await app.get('/api/clients?updatedSince=9999-12-31T23:59:59.999999999Z', business.owner);

      assert.deepEqual([first.data.length, last.data.length], [3, 0]);
    });
  });
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
