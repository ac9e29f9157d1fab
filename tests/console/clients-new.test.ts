import assert from 'node:assert/strict';
import { Client } from '../../db/models/client.ts';
import { Session } from '../../db/models/session.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { cookieIn, errorAt, fieldsIn, filled, open, submit, titleOf } from './browse.ts';

const PATH = '/app/clients/new';

describe('/app/clients/new', () => {
  const clientsOf = async ({ tenantId }: build.Business) =>
    (await service()).deps.withTenant(tenantId, (trx) => Client.query(trx).where({ tenantId }));

  async function endSessions({ tenantId }: build.Business): Promise<void> {
    const { deps } = await service();
    await deps.withTenant(tenantId, (trx) => Session.query(trx).where({ tenantId }).patch({ revokedAt: new Date() }));
  }

  it('creates the client and says so', async () => {
    const business = await build.business();
    const { html } = await open(PATH, business.owner);

    const fields = filled(html, {
      contactName: 'Laura Méndez',
      companyName: 'La Palma',
      email: 'laura@palma.test',
      country: 'US',
    });
    const { status, headers } = await submit(PATH, fields, { as: business.owner });

    const [client] = await clientsOf(business);
    assert.deepEqual([status, headers.get('Location')], [303, `/app/clients/${client?.id}?notice=client_created`]);
    const { contactName, companyName, email, country, phone, notes } = client ?? {};
    assert.deepEqual(
      { contactName, companyName, email, country, phone, notes },
      {
        contactName: 'Laura Méndez',
        companyName: 'La Palma',
        email: 'laura@palma.test',
        country: 'US',
        phone: null,
        notes: null,
      },
    );
    const after = await open(headers.get('Location') ?? '', business.owner);
    assert.match(after.html, /role="status">El cliente se creó\./);
  });

  it('answers 400 with the messages beside their fields and in the summary, and keeps the input', async () => {
    const { owner } = await build.business();
    const { html } = await open(PATH, owner);

    const fields = filled(html, { contactName: '', email: 'no es correo', taxId: 'X'.repeat(21), notes: '<b>"x"</b>' });
    const refused = await submit(PATH, fields, { as: owner });

    assert.equal(refused.status, 400);
    assert.equal(errorAt(refused.html, 'contactName'), 'Es obligatorio');
    assert.equal(errorAt(refused.html, 'email'), 'Debe ser un correo electrónico válido');
    assert.equal(errorAt(refused.html, 'taxId'), 'Debe tener como máximo 20 caracteres');
    assert.match(refused.html, /<a href="#email">Correo electrónico: debe ser un correo electrónico válido<\/a>/);
    assert.ok(refused.html.includes('&lt;b&gt;&quot;x&quot;&lt;/b&gt;') && !refused.html.includes('<b>"x"'));
    assert.deepEqual(new Map(fieldsIn(refused.html, PATH)).get('email'), 'no es correo');
  });

  it('creates one client from two submissions of the same form, also at the same time', async () => {
    const business = await build.business();
    const { html } = await open(PATH, business.owner);
    const fields = filled(html, { contactName: 'Laura Méndez' });

    const first = await Promise.all([1, 2].map(() => submit(PATH, fields, { as: business.owner })));
    const later = await submit(PATH, fields, { as: business.owner });

    // One of two at the same time may answer that the other one runs.
    assert.ok(
      first.every(({ status }) => status === 303 || status === 409),
      first.map(({ status }) => status).join(),
    );
    assert.equal(later.status, 303);
    assert.equal((await clientsOf(business)).length, 1);
  });

  it('answers 422 to the same form with other input, and shows it with a new key', async () => {
    const business = await build.business();
    const { html } = await open(PATH, business.owner);
    await submit(PATH, filled(html, { contactName: 'Laura' }), { as: business.owner });

    const again = await submit(PATH, filled(html, { contactName: 'Lorena' }), { as: business.owner });

    assert.equal(again.status, 422);
    assert.match(again.html, /ya se había enviado con otros datos/);
    const key = (page: string) => new Map(fieldsIn(page, PATH)).get('key');
    assert.notEqual(key(again.html), key(html));
    assert.equal((await clientsOf(business)).length, 1);
  });

  it('keeps the input when the session has ended: sign in, send, created once', async () => {
    const business = await build.business();
    const { html } = await open(PATH, business.owner);
    await endSessions(business);

    const fields = filled(html, { contactName: 'Laura <b>"x"</b>', notes: '\nuno\ndos' });
    const expired = await submit(PATH, fields, { as: business.owner });
    const signedIn = await submit(
      '/login',
      filled(expired.html, { email: business.email, password: build.PASSWORD }, '/login'),
    );
    const sent = await submit(PATH, fieldsIn(signedIn.html, PATH), { as: cookieIn(signedIn.headers) });

    assert.deepEqual([expired.status, titleOf(expired.html)], [401, 'Su sesión terminó']);
    assert.deepEqual([signedIn.status, titleOf(signedIn.html)], [200, 'Su sesión había terminado; nada se ha perdido']);
    assert.equal(sent.status, 303, sent.html);
    const [client] = await clientsOf(business);
    assert.deepEqual([client?.contactName, client?.notes], ['Laura <b>"x"</b>', 'uno\ndos']);
  });

  it('carries no field that is named like a secret', async () => {
    const { owner } = await build.business();

    const { html } = await submit(PATH, { contactName: 'Laura', newPassword: 'secreta-1', code: '123456' }, {});

    assert.ok(owner);
    assert.ok(html.includes('carried.contactName'));
    assert.ok(!html.includes('secreta-1') && !html.includes('123456'));
  });

  it('answers 415 to another content type and 413 to a form that is too large', async () => {
    const app = await service();
    const { owner } = await build.business();
    const headers = { ...owner, 'Sec-Fetch-Site': 'same-origin' };

    const json = await app.request('POST', PATH, { headers, body: { contactName: 'Laura' } });
    const large = await submit(PATH, { contactName: 'x'.repeat(2 * 1024 * 1024) }, { as: owner });

    assert.deepEqual([json.status, large.status], [415, 413]);
    assert.match(json.headers.get('Content-Type') ?? '', /^text\/html/);
  });

  it('leads a reload of a form without a page to its page', async () => {
    const { owner } = await build.business();

    const { status, headers } = await open('/logout', owner);

    assert.deepEqual([status, headers.get('Location')], [303, '/app']);
  });
});
