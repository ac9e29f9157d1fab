import assert from 'node:assert/strict';
import { ApiKey } from '../../db/models/api-key.ts';
import { Session } from '../../db/models/session.ts';
import { User } from '../../db/models/user.ts';
import * as build from './build.ts';
import { type Credential, ownService, type Service, service } from './service.ts';

const DAY_MS = 24 * 3600 * 1000;
/** More than is read before authentication. */
const LARGE = Array.from({ length: 60 }, () => ({ ...build.ITEM, description: 'x'.repeat(1_200) }));

/** The transaction that creates a quote also confirms its caller, unless the body is large or there is a key for it. */
describe('The caller of POST /api/quotes', () => {
  let app: Service;
  let business: build.Business;
  let clientId: string;
  beforeEach(async () => {
    app = await service();
    business = await build.business();
    clientId = (await build.client(business.owner)).id;
  });

  const create = (as: Credential, fields: object = {}, via = app) =>
    via.post('/api/quotes', { clientId, items: [build.ITEM], ...fields }, as);
  const inTenant = <T>(work: Parameters<typeof app.deps.withTenant<T>>[1]) =>
    app.deps.withTenant(business.tenantId, work);
  const keyOf = async (scope: 'full' | 'read'): Promise<{ id: string; as: Credential }> => {
    const { body } = await app.post('/api/api-keys', { name: 'prueba', scope }, business.owner);
    return { id: body.id, as: { Authorization: `Bearer ${body.key}` } };
  };
  /** The refused request has taken no number. */
  const assertFirstNumber = async () => {
    const quote = await build.quote((await build.member(business)).as, { clientId });
    assert.equal(quote.quoteNumber, 1);
  };

  for (const [what, fields] of Object.entries({
    'a valid body': {},
    'an invalid one': { items: [] },
    'a large one': { items: LARGE },
    'an unknown client': { clientId: 'c'.repeat(25) },
  })) {
    it(`answers 401 to a session that was ended, with ${what}`, async () => {
      await inTenant((trx) =>
        Session.query(trx).where({ tenantId: business.tenantId }).patch({ revokedAt: new Date() }),
      );

      const res = await create(business.owner, fields);

      assert.deepEqual([res.status, res.body.reason], [401, 'session_invalid']);
      await assertFirstNumber();
    });
  }

  it('answers 401 to a session that has expired, and to a deactivated user', async () => {
    const { tenantId, userId } = business;
    await inTenant((trx) =>
      Session.query(trx)
        .where({ tenantId })
        .patch({ expiresAt: new Date(Date.now() - 1) }),
    );
    const expired = await create(business.owner);
    await inTenant((trx) =>
      Session.query(trx)
        .where({ tenantId })
        .patch({ expiresAt: new Date(Date.now() + DAY_MS) }),
    );
    await inTenant((trx) => User.query(trx).findOne({ tenantId, id: userId }).patch({ isActive: false }));

    const deactivated = await create(business.owner);

    assert.deepEqual([expired.status, deactivated.status], [401, 401]);
    await assertFirstNumber();
  });

  it('answers 401 to a revoked key, and 403 to one that only reads', async () => {
    const revoked = await keyOf('full');
    const reading = await keyOf('read');
    await inTenant((trx) => ApiKey.query(trx).findById(revoked.id).patch({ revokedAt: new Date() }));

    const responses = [await create(revoked.as), await create(reading.as)];

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.reason]),
      [
        [401, 'api_key_invalid'],
        [403, 'scope_required'],
      ],
    );
    await assertFirstNumber();
  });

  it('refuses the caller before it says whether the client exists, and the input before both', async () => {
    const { as } = await keyOf('read');

    const unknown = await create(as, { clientId: 'c'.repeat(25) });
    const invalid = await create(as, { items: [] });
    const owner = await create(business.owner, { clientId: 'c'.repeat(25) });

    assert.deepEqual([unknown.status, invalid.status, owner.status], [403, 403, 404]);
  });

  it('counts each request once, and answers 429 beyond the limit without a number', async () => {
    const limited = await ownService({ RATE_LIMITS: 'on', RATE_USER_PER_MINUTE: '3' });

    const first = await create(business.owner, { clientId: 'c'.repeat(25) }, limited);
    const second = await create(business.owner, { items: [] }, limited);
    const third = await create(business.owner, {}, limited);
    const fourth = await create(business.owner, {}, limited);

    const left = [first, second, third].map(({ headers }) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    assert.deepEqual([first.status, second.status, third.status, fourth.status], [404, 400, 201, 429]);
    assert.deepEqual(left, ['2', '1', '0']);
    assert.equal(third.body.quoteNumber, 1);
    assert.equal((await create(business.owner)).body.quoteNumber, 2);
  });

  it('notes the use of a session and of a key with the quote', async () => {
    const { tenantId } = business;
    const { id, as } = await keyOf('full');
    const before = new Date(Date.now() - DAY_MS);
    await inTenant((trx) => Session.query(trx).where({ tenantId }).patch({ lastSeenAt: before, ip: '203.0.113.7' }));

    const responses = [await create(business.owner), await create(as)];

    const session = await inTenant((trx) => Session.query(trx).findOne({ tenantId }).throwIfNotFound());
    const key = await inTenant((trx) => ApiKey.query(trx).findById(id).throwIfNotFound());
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201],
    );
    assert.ok((session.lastSeenAt ?? before) > before);
    assert.deepEqual([session.ip, key.lastUsedIp], ['127.0.0.1', '127.0.0.1']);
    assert.ok(key.lastUsedAt);
  });

  it('creates a quote with a large body, and the same with two cookies of which one is good', async () => {
    const large = await create(business.owner, { items: LARGE });
    const cookie = business.owner['Cookie'] ?? '';
    const twice = await create({ Cookie: `${cookie.split('=')[0]}=planted; ${cookie}` });

    assert.deepEqual([large.status, large.body.items.length, twice.status], [201, LARGE.length, 201]);
    assert.deepEqual([large.body.quoteNumber, twice.body.quoteNumber], [1, 2]);
  });
});
