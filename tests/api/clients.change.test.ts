import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

describe('/api/clients/:id', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const read = (id: string, as: Credential) => app.get(`/api/clients/${id}`, as);
  const patch = (id: string, body: unknown, as: Credential) => app.patch(`/api/clients/${id}`, body, as);
  const remove = (id: string, as: Credential) => app.request('DELETE', `/api/clients/${id}`, { headers: as });

  describe('GET', () => {
    it('answers 200 with the record to owners and collaborators', async () => {
      const business = await build.business();
      const made = await build.client(business.owner);
      const { as } = await build.member(business);

      const res = await read(made.id, as);

      assert.deepEqual([res.status, res.body], [200, made]);
    });
  });

  describe('PATCH', () => {
    it('replaces all contacts, null clears them, and the audit entry shows them before and after; a collaborator gets 403', async () => {
      const business = await build.business();
      const { as } = await build.member(business);
      const { id } = await build.client(as, { contacts: [{ name: 'Luis' }] });
      const contact = { name: 'Eva', email: 'eva@x.test', phone: null, role: null };

      const refused = await patch(id, { contacts: [] }, as);
      const changed = await patch(id, { contacts: [contact] }, business.owner);
      const cleared = await patch(id, { contacts: null }, business.owner);

      assert.deepEqual([refused.status, refused.body.error], [403, 'Sin permisos']);
      assert.deepEqual([changed.body.contacts, cleared.body.contacts], [[contact], []]);
      const entries = (await auditOf(business, id)).map(({ metadata }) => metadata);
      const luis = { name: 'Luis', email: null, phone: null, role: null };
      assert.deepEqual(entries.slice(1), [
        { before: { contacts: [luis] }, after: { contacts: [contact] } },
        { before: { contacts: [contact] }, after: { contacts: [] } },
      ]);
    });

    it('answers 200: given members change, null and "" clear a member, the others are unchanged', async () => {
      const business = await build.business();
      const { id, email } = await build.client(business.owner, { phone: '55', notes: 'x' });

      const res = await patch(id, { contactName: ' Lucía ', phone: null, notes: '' }, business.owner);

      assert.equal(res.status, 200);
      const { contactName, phone, notes, updatedAt, createdAt } = res.body;
      assert.deepEqual([contactName, phone, notes, res.body.email], ['Lucía', null, null, email]);
      assert.ok(updatedAt > createdAt);
      const [, entry] = await auditOf(business, id);
      assert.deepEqual(
        [entry?.action, entry?.entity, entry?.metadata],
        [
          'update',
          'client',
          {
            before: { contactName: 'Laura Méndez', phone: '55', notes: 'x' },
            after: { contactName: 'Lucía', phone: null, notes: null },
          },
        ],
      );
    });
  });

  describe('DELETE', () => {
    it('answers 200 {ok: true}; quotes of the client stay readable, new ones are refused', async () => {
      const { owner } = await build.business();
      const { id } = await build.client(owner);
      const quote = await build.quote(owner, { clientId: id });

      const res = await remove(id, owner);

      assert.deepEqual([res.status, res.body], [200, { ok: true }]);
      const shown = await app.get(`/api/quotes/${quote.id}`, owner);
      assert.deepEqual([shown.status, shown.body.client.id], [200, id]);
      const created = await app.post('/api/quotes', { clientId: id, items: [build.ITEM] }, owner);
      assert.deepEqual([created.status, created.body.error], [404, 'Cliente no encontrado']);
      assert.equal((await read(id, owner)).body.isActive, false);
    });

    it('repeated calls write one audit entry «delete», and PATCH isActive reactivates the client', async () => {
      const business = await build.business();
      const { id } = await build.client(business.owner);

      await remove(id, business.owner);
      await remove(id, business.owner);
      const back = await patch(id, { isActive: true }, business.owner);

      assert.equal(back.body.isActive, true);
      const actions = (await auditOf(business, id)).map(({ action }) => action);
      assert.deepEqual(actions, ['create', 'delete', 'update']);
    });
  });
});
