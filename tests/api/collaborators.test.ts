import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { User } from '../../db/models/user.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf, eventsOf } from './stored.ts';

const LAST_OWNER = 'El negocio debe conservar al menos un dueño activo';

describe('/api/collaborators', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const invite = (as: Credential, body: object = {}) =>
    app.post('/api/collaborators', { email: `${newId()}@colaborador.test`, name: 'Carlos', ...body }, as);
  const patch = (id: string, body: unknown, as: Credential) => app.patch(`/api/collaborators/${id}`, body, as);
  const remove = (id: string, as: Credential) => app.request('DELETE', `/api/collaborators/${id}`, { headers: as });
  const transfer = (id: string, toUserId: string, as: Credential) =>
    app.post(`/api/collaborators/${id}/transfer`, { toUserId }, as);

  /** A second owner, who can sign in. */
  async function coOwner(business: build.Business) {
    const made = await build.member(business, { role: 'OWNER' });
    const { tenantId } = business;
    await app.deps.withTenant(tenantId, (trx) =>
      User.query(trx).findOne({ tenantId, id: made.userId }).patch({ passwordHash: 'set' }),
    );
    return made;
  }

  describe('POST', () => {
    it('answers 201 with the pending collaborator, writes the audit entry «invite» and queues the mail', async () => {
      const business = await build.business();
      const email = `${newId()}@colaborador.test`;

      const res = await invite(business.owner, { email, role: 'OWNER' });

      assert.equal(res.status, 201);
      const { id, invitedAt, ...rest } = res.body;
      const fixed = { name: 'Carlos', email, role: 'COLLABORATOR', isActive: true };
      assert.deepEqual(rest, { ...fixed, acceptedAt: null, lastLoginAt: null });
      assert.ok(Date.parse(invitedAt));
      const [entry] = await auditOf(business, id);
      assert.deepEqual(
        [entry?.action, entry?.entity, entry?.metadata],
        ['invite', 'collaborator', { email, name: 'Carlos', role: 'COLLABORATOR' }],
      );
      assert.deepEqual(
        (await eventsOf(business)).map(({ type }) => type),
        ['mail.requested'],
      );
    });

    it('answers 409 «El correo ya está registrado» to an address of any business, in any letter case', async () => {
      const { email } = await build.business();
      const business = await build.business();

      const res = await invite(business.owner, { email: email.toUpperCase() });

      assert.deepEqual([res.status, res.body.error, res.body.code], [409, 'El correo ya está registrado', 'conflict']);
      assert.deepEqual(await eventsOf(business), []);
    });
  });

  describe('GET', () => {
    it('answers an array of the users of the business, owner first', async () => {
      const business = await build.business();
      await build.business();
      const { userId } = await build.member(business);

      const res = await app.get('/api/collaborators', business.owner);

      assert.equal(res.status, 200);
      assert.deepEqual(
        res.body.map(({ id, role, invitedAt }: User) => [id, role, invitedAt]),
        [
          [business.userId, 'OWNER', null],
          [userId, 'COLLABORATOR', null],
        ],
      );
    });
  });

  describe('PATCH /:id', () => {
    it('answers 200 with the changed record and audits before and after', async () => {
      const business = await build.business();
      const { userId } = await build.member(business);

      const res = await patch(userId, { name: 'Carlota', role: 'OWNER' }, business.owner);

      assert.deepEqual([res.status, res.body.name, res.body.role], [200, 'Carlota', 'OWNER']);
      const [entry] = await auditOf(business, userId);
      assert.deepEqual(
        [entry?.action, entry?.metadata],
        ['update', { before: { name: 'Carlos', role: 'COLLABORATOR' }, after: { name: 'Carlota', role: 'OWNER' } }],
      );
    });

    it('a changed role applies to the next call', async () => {
      const business = await build.business();
      const { userId, as } = await build.member(business);

      await patch(userId, { role: 'OWNER' }, business.owner);

      assert.equal((await app.get('/api/collaborators', as)).status, 200);
    });

    it('isActive false disables the user’s key immediately; true enables it again', async () => {
      const business = await build.business();
      const { userId, as } = await build.member(business);

      await patch(userId, { isActive: false }, business.owner);
      const stopped = await app.get('/api/quotes', as);
      await patch(userId, { isActive: true }, business.owner);

      assert.deepEqual([stopped.status, stopped.body.error], [401, 'No autorizado']);
      assert.equal((await app.get('/api/quotes', as)).status, 200);
    });

    it('isActive false ends sessions permanently', async () => {
      const business = await build.business();
      const other = await coOwner(business);

      await patch(business.userId, { isActive: false }, other.as);
      await patch(business.userId, { isActive: true }, other.as);

      assert.equal((await app.get('/api/auth/session', business.owner)).status, 401);
    });

    it(`answers 409 «${LAST_OWNER}» to the demotion of the last owner`, async () => {
      const { owner, userId } = await build.business();

      const res = await patch(userId, { role: 'COLLABORATOR' }, owner);

      assert.deepEqual([res.status, res.body.error, res.body.code], [409, LAST_OWNER, 'conflict']);
    });

    it(`answers 409 «${LAST_OWNER}» when the only other owner has not accepted the invitation`, async () => {
      const { owner, userId } = await build.business();
      const { id } = (await invite(owner)).body;
      await patch(id, { role: 'OWNER' }, owner);

      const res = await patch(userId, { role: 'COLLABORATOR' }, owner);

      assert.deepEqual([res.status, res.body.error], [409, LAST_OWNER]);
    });

    it(`answers 409 «${LAST_OWNER}» to one of two owners who demote each other concurrently`, async () => {
      const business = await build.business();
      const other = await coOwner(business);
      const demotion = { role: 'COLLABORATOR' };

      const responses = await Promise.all([
        patch(other.userId, demotion, business.owner),
        patch(business.userId, demotion, other.as),
      ]);

      const owners = await app.deps.withTenant(business.tenantId, (trx) =>
        User.query(trx).where({ tenantId: business.tenantId, role: 'OWNER', isActive: true }).resultSize(),
      );
      assert.equal(owners, 1);
      assert.ok(responses.some(({ status }) => status === 200));
    });
  });

  describe('DELETE /:id', () => {
    it('answers 200 {ok: true}; the user’s key answers 401 immediately and the quotes stay', async () => {
      const business = await build.business();
      const { userId, as } = await build.member(business);
      const quote = await build.quote(as);

      const res = await remove(userId, business.owner);

      assert.deepEqual([res.status, res.body], [200, { ok: true }]);
      assert.equal((await app.get('/api/quotes', as)).status, 401);
      assert.equal((await app.get(`/api/quotes/${quote.id}`, business.owner)).status, 200);
      const [entry] = await auditOf(business, userId);
      assert.deepEqual([entry?.action, entry?.entity], ['delete', 'collaborator']);
    });

    it(`answers 409 «${LAST_OWNER}» to the deactivation of the last owner`, async () => {
      const { owner, userId } = await build.business();

      const res = await remove(userId, owner);

      assert.deepEqual([res.status, res.body.error], [409, LAST_OWNER]);
    });
  });

  describe('POST /:id/transfer', () => {
    it('answers 200 {transferred} and changes the owner of the quotes', async () => {
      const business = await build.business();
      const [from, to] = [await build.member(business), await build.member(business)];
      const quotes = [await build.quote(from.as), await build.quote(from.as)];
      await build.quote(business.owner);

      const res = await transfer(from.userId, to.userId, business.owner);

      assert.deepEqual([res.status, res.body], [200, { transferred: 2 }]);
      assert.equal((await app.get(`/api/quotes/${quotes[0]?.id}`, to.as)).status, 200);
      assert.equal((await app.get(`/api/quotes/${quotes[0]?.id}`, from.as)).status, 404);
      const [entry] = await auditOf(business, from.userId);
      assert.deepEqual([entry?.action, entry?.metadata], ['transfer', { toUserId: to.userId, transferred: 2 }]);
    });

    it('answers 404 «Colaborador no encontrado» when the target is inactive or of another business', async () => {
      const business = await build.business();
      const [from, inactive] = [await build.member(business), await build.member(business)];
      await remove(inactive.userId, business.owner);
      const foreign = await build.business();

      const responses = [
        await transfer(from.userId, inactive.userId, business.owner),
        await transfer(from.userId, foreign.userId, business.owner),
        await transfer(foreign.userId, from.userId, business.owner),
      ];

      assert.deepEqual(
        responses.map(({ status, body }) => [status, body.error]),
        Array.from({ length: 3 }, () => [404, 'Colaborador no encontrado']),
      );
    });

    it('answers 400 «toUserId: debe ser otra persona» to a transfer to the same user', async () => {
      const { owner, userId } = await build.business();

      const res = await transfer(userId, userId, owner);

      assert.deepEqual([res.status, res.body.error], [400, 'toUserId: debe ser otra persona']);
    });
  });
});
