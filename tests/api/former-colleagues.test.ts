import assert from 'node:assert/strict';
import { composeExpiryMail } from '../../adapters/mail/expiry-mail.ts';
import { buildMime } from '../../adapters/mail/message.ts';
import { composeQuoteMail } from '../../adapters/mail/quote-mail.ts';
import { User } from '../../db/models/user.ts';
import { automationFacts } from '../../db/reads/automation-facts.ts';
import { readQuoteDrawing } from '../../db/reads/quote-drawing.ts';
import { readFullQuote } from '../../db/reads/full-quote.ts';
import { memberOrOwners } from '../../db/writes/notify.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

needs('storage');

describe('A quote of a deactivated collaborator', () => {
  let app: Service;
  let business: build.Business;
  let made: Awaited<ReturnType<typeof build.quote>>;
  let userId: string;
  const address = () => `${userId}@colaborador.test`;
  before(async () => {
    app = await service();
    business = await build.business({ companyName: 'Muebles Roble', email: 'ventas@roble.test' });
    const member = await build.member(business);
    userId = member.userId;
    const { id: clientId } = await build.client(business.owner);
    made = await build.quote(member.as, { clientId });
    await build.patchQuote(business, made.id, { status: 'SENT' });
    const res = await app.request('DELETE', `/api/collaborators/${userId}`, { headers: business.owner });
    assert.equal(res.status, 200);
  });

  const drawing = () =>
    app.deps.withTenant(business.tenantId, async (trx) => {
      const found = await readQuoteDrawing(trx, made.id);
      assert.ok(found);
      return found;
    });

  it('its mails have the business as Reply-To and contact', async () => {
    const parts = { drawing: await drawing(), portalUrl: null, logo: null };
    const mails = [
      composeQuoteMail({ ...parts, pdf: Buffer.from('%PDF'), messageId: '<a.1@x.test>' }),
      composeExpiryMail({ ...parts, messageId: '<a.2@x.test>' }),
    ];

    for (const mail of mails) {
      const source = (await buildMime(mail, 'cotizaciones@x.test')).toString();
      assert.match(source, /^Reply-To: Muebles Roble <ventas@roble.test>\r?$/m);
      assert.match(mail.text, /Muebles Roble le atenderá/);
      assert.doesNotMatch(mail.text + mail.html + source, /Carlos|colaborador\.test/);
    }
  });

  it('PDF and page show the business as contact', async () => {
    const { text } = await readPdf((await app.get(`/api/quotes/${made.id}/pdf`, business.owner)).bytes);
    const page = (await app.get(`/p/${made.publicToken}`)).bytes.toString();

    assert.match(text, /Le atiende Muebles Roble · ventas@roble\.test/);
    assert.match(page, /Le atiende Muebles Roble/);
    assert.equal(text.includes(address()) || page.includes(address()) || page.includes('Carlos'), false);
  });

  it('{{user.name}} in automations is the business', async () => {
    const facts = await app.deps.withTenant(business.tenantId, async (trx) => {
      const quote = await readFullQuote(trx, made.id);
      assert.ok(quote);
      return automationFacts(trx, quote, 'https://x.test');
    });

    assert.equal(facts.user.name, 'Muebles Roble');
  });

  it('its notifications go to the owners', async () => {
    const recipients = await app.deps.withTenant(business.tenantId, (trx) => memberOrOwners(trx, userId));

    assert.deepEqual(recipients, [business.userId]);
  });

  it('without an address of the business, an owner’s address is used', async () => {
    await build.patchTenant(business, { email: null });

    const { seller } = await drawing();

    await build.patchTenant(business, { email: 'ventas@roble.test' });
    assert.deepEqual(seller, { name: 'Muebles Roble', email: business.email });
  });

  it('after reactivation it names the collaborator again', async () => {
    await app.patch(`/api/collaborators/${userId}`, { isActive: true }, business.owner);

    const { seller } = await drawing();

    await app.deps.withTenant(business.tenantId, (trx) =>
      User.query(trx).findOne({ tenantId: business.tenantId, id: userId }).patch({ isActive: false }),
    );
    assert.deepEqual(seller, { name: 'Carlos', email: address() });
  });
});

describe('Removing access on the FREE plan', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  async function downgraded() {
    const business = await build.business();
    const member = await build.member(business);
    await build.patchTenant(business, { plan: 'FREE' });
    return { business, ...member };
  }

  it('DELETE deactivates a collaborator, whose key then answers 401', async () => {
    const { business, userId, as } = await downgraded();
    assert.equal((await app.get('/api/quotes', as)).status, 200);

    const res = await app.request('DELETE', `/api/collaborators/${userId}`, { headers: business.owner });

    assert.deepEqual([res.status, res.body], [200, { ok: true }]);
    assert.equal((await app.get('/api/quotes', as)).status, 401);
  });

  it('PATCH {isActive: false} deactivates a collaborator', async () => {
    const { business, userId, as } = await downgraded();

    const res = await app.patch(`/api/collaborators/${userId}`, { isActive: false }, business.owner);

    assert.deepEqual([res.status, res.body.isActive], [200, false]);
    assert.equal((await app.get('/api/quotes', as)).status, 401);
  });

  it('API keys and templates can be deleted', async () => {
    const business = await build.business();
    const key = await app.post('/api/api-keys', { name: 'Contabilidad' }, business.owner);
    const template = await app.post('/api/templates', { name: 'Base', items: [build.ITEM] }, business.owner);
    await build.patchTenant(business, { plan: 'FREE' });

    const removed = await Promise.all(
      [`/api/api-keys/${key.body.id}`, `/api/templates/${template.body.id}`].map((path) =>
        app.request('DELETE', path, { headers: business.owner }),
      ),
    );

    assert.deepEqual(
      removed.map(({ status }) => status),
      [200, 200],
    );
    assert.equal((await app.get('/api/quotes', { Authorization: `Bearer ${key.body.key}` })).status, 401);
  });

  const gated: readonly object[] = [{ isActive: true }, { isActive: false, name: 'Eva' }, { role: 'OWNER' }, {}];
  for (const body of gated)
    it(`PATCH ${JSON.stringify(body)} answers 403 «Función disponible en el plan Pro»`, async () => {
      const { business, userId } = await downgraded();

      const res = await app.patch(`/api/collaborators/${userId}`, body, business.owner);

      assert.deepEqual([res.status, res.body.error], [403, 'Función disponible en el plan Pro']);
    });
});
