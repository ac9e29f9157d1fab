import assert from 'node:assert/strict';
import * as build from '../api/build.ts';
import { type Credential, service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { errorAt, fieldsIn, filled, open, submit, titleOf } from './browse.ts';

needs('storage');

const HOSTILE = '<b>"x"</b>';

describe('/app/quotes/:id/share', () => {
  const shareOf = async (owner: Credential, clientFields: Record<string, unknown> = {}) => {
    const client = await build.client(owner, clientFields);
    const { id } = await build.quote(owner, { clientId: client.id });
    const path = `/app/quotes/${id}`;
    return { client, id, path, page: await open(`${path}/share`, owner) };
  };

  it('suggests the people of the client and names the client', async () => {
    const { owner } = await build.business();
    const contacts = [{ name: HOSTILE, email: 'compras@palma.test' }];

    const { client, page } = await shareOf(owner, { contacts });

    assert.equal(new Map(fieldsIn(page.html)).get('to.0'), client.email);
    assert.match(page.html, /<option value="compras@palma\.test">/);
    assert.ok(!page.html.includes(HOSTILE));
  });

  it('shows the mail that would be sent, and sends nothing', async () => {
    const { owner } = await build.business();
    const { id, path, page } = await shareOf(owner);

    const fields = filled(page.html, { message: `Hola ${HOSTILE}`, 'cc.0': 'jefe@palma.test' });
    const shown = await submit(`${path}/preview`, fields, { as: owner });

    assert.equal(shown.status, 200);
    assert.match(shown.html, /Así se verá el correo/);
    assert.match(shown.html, /Hola &lt;b&gt;&quot;x&quot;&lt;\/b&gt;/);
    assert.match(shown.html, /jefe@palma\.test/);
    assert.match(shown.html, /COT-1\.pdf/);
    assert.equal(new Map(fieldsIn(shown.html, `${path}/share`)).get('cc.0'), 'jefe@palma.test');
    const { body } = await (await service()).get(`/api/quotes/${id}`, owner);
    assert.equal(body.status, 'GENERATED');
  });

  it('answers 400 beside an address that is none, and keeps the input', async () => {
    const { owner } = await build.business();
    const { path, page } = await shareOf(owner);

    const refused = await submit(`${path}/share`, filled(page.html, { 'to.1': 'nadie', message: 'Hola' }), {
      as: owner,
    });

    assert.equal(refused.status, 400);
    assert.notEqual(errorAt(refused.html, 'to.1'), undefined);
    assert.match(refused.html, />\s*Hola<\/textarea>/);
  });

  it('answers 403 on FREE beside an address that is not of the client', async () => {
    const { owner } = await build.business({ plan: 'FREE' });
    const { path, page } = await shareOf(owner);

    const refused = await submit(`${path}/preview`, filled(page.html, { 'cc.0': 'otro@ajeno.test' }), { as: owner });

    assert.equal(refused.status, 403);
    assert.match(errorAt(refused.html, 'cc.0') ?? '', /plan FREE solo se envía al cliente/);
  });

  it('says that the client has no address', async () => {
    const { owner } = await build.business();
    const { path, page } = await shareOf(owner, { email: null });

    const refused = await submit(`${path}/share`, fieldsIn(page.html), { as: owner });

    assert.equal(refused.status, 400);
    assert.match(refused.html, /El cliente no tiene correo electrónico/);
  });
});

describe('/app/quotes/:id/link', () => {
  it('shows the link in a field, and changes it once per form', async () => {
    const app = await service();
    const { owner } = await build.business();
    const { id } = await build.quote(owner);
    const path = `/app/quotes/${id}`;
    const before = await app.get(`/api/quotes/${id}/link`, owner);

    const page = await open(`${path}/link`, owner);
    const fields = fieldsIn(page.html, `${path}/rotate-link`);
    const changed = await submit(`${path}/rotate-link`, fields, { as: owner });
    const after = await app.get(`/api/quotes/${id}/link`, owner);
    await submit(`${path}/rotate-link`, fields, { as: owner });

    assert.match(page.html, new RegExp(`<input type="url"[^>]*value="${before.body.url}"[^>]*readonly`));
    assert.equal(changed.headers.get('Location'), `${path}/link?notice=quote_link_rotated`);
    assert.notEqual(after.body.url, before.body.url);
    assert.equal((await app.get(`/api/quotes/${id}/link`, owner)).body.url, after.body.url);
  });

  it('prepares the link for WhatsApp, and the quote is sent', async () => {
    const { owner } = await build.business();
    const client = await build.client(owner, { phone: '+52 55 5123 4567' });
    const { id } = await build.quote(owner, { clientId: client.id });
    const path = `/app/quotes/${id}`;
    const page = await open(`${path}/link`, owner);

    const ready = await submit(`${path}/share-link`, fieldsIn(page.html, `${path}/share-link`), { as: owner });

    assert.equal(ready.status, 200);
    assert.match(ready.html, /href="https:\/\/wa\.me\/525551234567\?/);
    assert.match(ready.html, />Enviada</);
  });
});

describe('/app/quotes/:id/messages', () => {
  it('writes to the client once per form, and shows it escaped', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);
    const path = `/app/quotes/${id}/messages`;
    const page = await open(path, owner);

    const empty = await submit(path, filled(page.html, { body: '' }), { as: owner });
    const fields = filled(page.html, { body: HOSTILE });
    const sent = await submit(path, fields, { as: owner });
    await submit(path, fields, { as: owner });
    const after = await open(path, owner);

    assert.match(page.html, /Todavía no hay mensajes/);
    assert.deepEqual([empty.status, errorAt(empty.html, 'body')], [400, 'Es obligatorio']);
    assert.equal(sent.headers.get('Location'), `${path}?notice=quote_message_sent`);
    assert.equal(after.html.match(/class="message-outbound"/g)?.length, 1);
    assert.ok(after.html.includes('&lt;b&gt;') && !after.html.includes(HOSTILE));
  });
});

describe('/app/quotes/:id/versions and history', () => {
  it('show what the quote was, who changed it and when', async () => {
    const app = await service();
    const { owner } = await build.business();
    const quote = await build.quote(owner, { items: [{ ...build.ITEM, productName: HOSTILE }] });
    const body = { clientId: quote.client.id, items: [{ ...build.ITEM, quantity: 3 }] };
    assert.equal((await app.post(`/api/quotes/${quote.id}/revise`, body, owner)).status, 200);
    const path = `/app/quotes/${quote.id}`;

    const versions = await open(`${path}/versions`, owner);
    const first = await open(`${path}/versions/1`, owner);
    const current = await open(`${path}/versions/2`, owner);
    const history = await open(`${path}/history`, owner);

    assert.match(versions.html, /href="[^"]*\/versions\/1">Versión 1</);
    assert.equal(titleOf(first.html), 'Versión 1');
    assert.ok(first.html.includes('&lt;b&gt;') && !first.html.includes(HOSTILE));
    assert.match(first.html, /\$232\.00 MXN/);
    assert.equal(current.status, 404);
    assert.match(history.html, /Se hizo la versión 2/);
    assert.match(history.html, /Se creó/);
  });
});

describe('/app/quotes/:id after the answer', () => {
  it('shows the signature and its evidence', async () => {
    const app = await service();
    const business = await build.business();
    const quote = await build.sentQuote(business);
    const { body: link } = await app.get(`/api/quotes/${quote.id}/link`, business.owner);
    const signature = { type: 'drawn', data: await build.signatureUrl() };
    const answer = { ...build.SIGNER, signerName: HOSTILE, signature };
    const accepted = await app.post(`/api/portal/${link.publicToken}/accept`, answer);
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));

    const page = await open(`/app/quotes/${quote.id}`, business.owner);
    const evidence = await open(`/app/quotes/${quote.id}/evidence`, business.owner);
    const file = await open(`/app/quotes/${quote.id}/evidence.json`, business.owner);

    assert.match(page.html, /Su cliente la aceptó/);
    assert.match(page.html, /<img src="data:image\/png;base64,/);
    assert.match(evidence.html, /SHA-256 del documento/);
    assert.ok([page, evidence].every(({ html }) => !html.includes(HOSTILE)));
    assert.match(file.headers.get('Content-Disposition') ?? '', /constancia\.json/);
  });
});
