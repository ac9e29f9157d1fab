import assert from 'node:assert/strict';
import { readPipeline } from '../../api/pipeline/read.ts';
import { newId } from '../../db/ids.ts';
import { User } from '../../db/models/user.ts';
import type { Caller } from '../../domain/caller.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

interface Entry {
  readonly quoteNumber: number;
}
const numbersOf = (data: readonly Entry[]) => data.map(({ quoteNumber }) => quoteNumber);

describe('GET /api/pipeline', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const read = ({ owner }: build.Business, query: Record<string, string> = {}) =>
    app.get(`/api/pipeline?${new URLSearchParams(query).toString()}`, owner);

  it('answers 200 {data} with every quote, highest number first, money as strings', async () => {
    const business = await build.business();
    const carlos = await build.member(business);
    await build.quote(business.owner);
    const { id } = await build.quote(carlos.as, { shippingCost: 9.5 });
    await build.patchQuote(business, id, { status: 'WON' });

    const res = await read(business);

    assert.equal(res.status, 200);
    assert.deepEqual(Object.keys(res.body), ['data']);
    assert.deepEqual(numbersOf(res.body.data), [2, 1]);
    const { createdAt, ...entry } = res.body.data[0];
    assert.deepEqual(entry, {
      id,
      quoteNumber: 2,
      displayNumber: 'COT-2',
      status: 'WON',
      subtotal: '200.00',
      tax: '32.00',
      total: '241.50',
      currency: 'MXN',
      client: { contactName: 'Laura Méndez', companyName: 'La Palma' },
      user: { name: 'Carlos' },
    });
    assert.ok(Date.parse(createdAt) <= Date.now());
  });

  it('answers 200 {data: []} for a business without quotes', async () => {
    const res = await read(await build.business());

    assert.deepEqual([res.status, res.body], [200, { data: [] }]);
  });

  it('has no pages: returns 600 quotes in one response', async () => {
    const business = await build.business();
    await build.quote(business.owner);
    await app.deps.withTenant(business.tenantId, (trx) =>
      trx.raw(
        `insert into quotes (id, tenant_id, quote_number, client_id, client_contact_name, user_id, currency, tax_rate,
           subtotal, tax, shipping_cost, total, expires_at, public_token_hash, public_token_sealed)
         select id || n, tenant_id, n, client_id, client_contact_name, user_id, currency, tax_rate,
           subtotal, tax, shipping_cost, total, expires_at, public_token_hash || n, public_token_sealed
         from quotes, generate_series(2, 600) n where tenant_id = ?`,
        [business.tenantId],
      ),
    );

    const res = await read(business);

    assert.deepEqual(
      numbersOf(res.body.data),
      Array.from({ length: 600 }, (_, i) => 600 - i),
    );
  });

  describe('filters', () => {
    let business: build.Business;
    let carlos: Awaited<ReturnType<typeof build.member>>;
    before(async () => {
      business = await build.business();
      carlos = await build.member(business);
      for (const n of [1, 2, 3]) {
        const items = [{ productName: 'Silla', unitPrice: 100, quantity: n }];
        const { id } = await build.quote(n === 2 ? carlos.as : business.owner, { items });
        await build.patchQuote(business, id, { createdAt: new Date(`2026-11-0${n}T12:00:00.000Z`) });
      }
    });

    it('filters by userId, from, to, minAmount and maxAmount', async () => {
      const found = async (query: Record<string, string>) => numbersOf((await read(business, query)).body.data);

      assert.deepEqual(await found({ userId: carlos.userId }), [2]);
      assert.deepEqual(await found({ from: '2026-11-02T12:00:00Z' }), [3, 2]);
      assert.deepEqual(await found({ to: '2026-11-02' }), [2, 1]);
      assert.deepEqual(await found({ minAmount: '232' }), [3, 2]);
      assert.deepEqual(await found({ maxAmount: '232' }), [2, 1]);
      assert.deepEqual(await found({ minAmount: '117', maxAmount: '347', from: '2026-11-01' }), [2]);
    });

    it('answers 400 to malformed dates and amounts', async () => {
      const from = await read(business, { from: 'ayer' });
      const minAmount = await read(business, { minAmount: 'mucho' });

      assert.deepEqual([from.status, from.body.error], [400, 'from: debe ser una fecha y hora ISO 8601']);
      assert.deepEqual([minAmount.status, minAmount.body.error], [400, 'minAmount: debe ser un número']);
    });

    it('the query itself limits a collaborator to own quotes', async () => {
      const { tenantId } = business;
      const credential = { kind: 'session', id: newId() } as const;
      const caller: Caller = {
        tenantId,
        userId: carlos.userId,
        name: 'Diana',
        email: 'diana@example.com',
        role: 'COLLABORATOR',
        plan: 'PRO',
        isVerified: true,
        timeZone: 'UTC',
        country: 'MX',
        credential,
        requestId: 'r',
      };

      const stream = await readPipeline(app.deps, caller, { userId: business.userId });
      const own = await readPipeline(app.deps, caller, {});

      assert.deepEqual(JSON.parse((await stream.toArray()).join('')), { data: [] });
      assert.deepEqual(numbersOf(JSON.parse((await own.toArray()).join('')).data), [2]);
    });
  });
});

describe('GET /api/pipeline/vendors', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 {data: [{id, name, email}]} with the active users by name, without pending invitations', async () => {
    const business = await build.business();
    const carlos = await build.member(business);
    const [gone, invited, accepted] = [
      await build.member(business),
      await build.member(business),
      await build.member(business),
    ];
    const at = new Date('2026-11-01T12:00:00Z');
    for (const [{ userId }, columns] of [
      [invited, { invitedAt: at, acceptedAt: null }],
      [accepted, { name: 'Beatriz', invitedAt: at, acceptedAt: at }],
    ] as const) {
      await app.deps.withTenant(business.tenantId, (trx) => User.query(trx).findById(userId).patch(columns));
    }
    await app.deps.withTenant(business.tenantId, (trx) =>
      User.query(trx).findOne({ tenantId: business.tenantId, id: gone.userId }).patch({ isActive: false }),
    );

    const res = await app.get('/api/pipeline/vendors', business.owner);

    assert.equal(res.status, 200);
    assert.deepEqual(res.body, {
      data: [
        { id: accepted.userId, name: 'Beatriz', email: `${accepted.userId}@colaborador.test` },
        { id: carlos.userId, name: 'Carlos', email: `${carlos.userId}@colaborador.test` },
        { id: business.userId, name: 'Diana', email: business.email },
      ],
    });
  });
});
