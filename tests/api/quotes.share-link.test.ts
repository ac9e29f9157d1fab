import assert from 'node:assert/strict';
import { capturedLog } from '../captured-log.ts';
import * as build from './build.ts';
import { allRows } from './matrix-world.ts';
import { type Credential, ownService, type Service, service } from './service.ts';
import { auditOf, eventsOf, storedQuote } from './stored.ts';

describe('POST /api/quotes/:id/share with channel link', () => {
  let app: Service;
  let business: build.Business;
  before(async () => {
    app = await service();
    business = await build.business({ companyName: 'Muebles & Más' });
  });

  const link = (id: string, as: Credential = business.owner, body: object = {}) =>
    app.post(`/api/quotes/${id}/share`, { channel: 'link', ...body }, as);
  const quoteFor = async (fields: Record<string, unknown> = {}) => {
    const client = await build.client(business.owner, { email: null, phone: '55 1234 5678', ...fields });
    return build.quote(business.owner, { clientId: client.id });
  };

  it('answers the link and that of WhatsApp, sends nothing, and moves a GENERATED quote to SENT', async () => {
    const { id, publicToken } = await quoteFor();

    const res = await link(id);

    const { success, url, whatsappUrl, ...rest } = res.body;
    assert.deepEqual([res.status, success, rest], [200, true, {}]);
    assert.equal(new URL(url).pathname, `/p/${publicToken}`);
    const chat = new URL(whatsappUrl);
    assert.equal(chat.origin + chat.pathname, 'https://wa.me/525512345678');
    assert.equal(chat.searchParams.get('text'), `Cotización COT-1 de Muebles & Más:\n${url}`);
    assert.equal((await app.get(`/api/portal/${publicToken}`)).status, 200);
    assert.deepEqual(
      (await eventsOf(business, id)).map(({ type }) => type),
      ['quote.created', 'quote.status_changed'],
    );
    const entry = (await auditOf(business, id)).find(({ action }) => action === 'share');
    assert.deepEqual(entry?.metadata, { quoteNumber: 1, version: 1, channel: 'link' });
  });

  it('has the message of the request, the language of the client, and no WhatsApp link without a phone', async () => {
    const own = await link((await quoteFor({ locale: 'en-US' })).id, business.owner, { message: 'Hola\r\nLaura ' });
    const english = await link((await quoteFor({ locale: 'en-US' })).id);
    const mute = await link((await quoteFor({ phone: 'sin teléfono' })).id);

    const textOf = ({ body }: typeof own) => new URL(body.whatsappUrl).searchParams.get('text');
    assert.equal(textOf(own), `Hola\nLaura\n${own.body.url}`);
    assert.match(String(textOf(english)), /^Quote COT-\d+ from Muebles & Más:\n/);
    assert.equal(mute.body.whatsappUrl, null);
  });

  it('neither stores nor logs the WhatsApp link, the phone and the message', async () => {
    const { lines, log } = capturedLog('debug');
    const logged = await ownService({}, (deps) => ({ ...deps, log }));
    const own = await build.business();
    const client = await build.client(own.owner, { email: null, phone: '55 8765 4321' });
    const { id } = await build.quote(own.owner, { clientId: client.id });

    const res = await logged.post(`/api/quotes/${id}/share`, { channel: 'link', message: 'Secreto 1' }, own.owner);
    await logged.get(`/api/quotes/${id}`, own.owner);

    assert.match(res.body.whatsappUrl, /^https:\/\/wa\.me\/525587654321\?text=Secreto%201/);
    assert.ok(lines.some((line) => line.includes(`/api/quotes/`)), 'nothing was logged'); // prettier-ignore
    const kept = [...lines, ...(await allRows(own.tenantId))];
    assert.deepEqual(
      kept.filter((text) => /wa\.me|525587654321|Secreto/.test(text)),
      [],
    );
  });

  it('keeps a status after GENERATED, and opens the link of a quote that was revised for another client', async () => {
    const { id } = await build.sentQuote(business);
    await build.patchQuote(business, id, { linkWithheld: true });

    const res = await link(id);

    assert.equal(res.status, 200);
    const stored = await storedQuote(business, id);
    assert.deepEqual([stored.status, stored.linkWithheld], ['SENT', false]);
  });

  it('answers 403 on FREE before 404, and 400 «La cotización está vencida»', async () => {
    const free = await build.business({ plan: 'FREE' });
    const { id } = await quoteFor();
    await build.patchQuote(business, id, { expiresAt: new Date(Date.now() - 1_000) });

    const [onFree, expired] = await Promise.all([link('no', free.owner), link(id)]);

    assert.deepEqual([onFree.status, onFree.body.error], [403, 'Función disponible en el plan Pro']);
    assert.deepEqual([expired.status, expired.body.error], [400, 'La cotización está vencida']);
    assert.equal((await storedQuote(business, id)).status, 'GENERATED');
  });

  it('lets a collaborator share a SENT quote, and answers 403 «Sin permisos» for a GENERATED one', async () => {
    const { as: owner } = await build.member(business);
    const { id } = await build.quote(owner);

    const early = await link(id, owner);
    await build.patchQuote(business, id, { status: 'SENT' });
    const later = await link(id, owner);

    assert.deepEqual([early.status, early.body.error], [403, 'Sin permisos']);
    assert.equal(later.status, 200);
  });

  it('answers 400 to recipients, which it would not write to', async () => {
    const { id } = await quoteFor();

    const res = await link(id, business.owner, { to: ['ana@x.test'], cc: [] });

    assert.equal(res.status, 400);
    assert.deepEqual(res.body.details, [{ path: 'to', message: 'no se admite con channel link, que no envía nada' }]);
    assert.equal((await storedQuote(business, id)).status, 'GENERATED');
  });

  it('is run again for the same Idempotency-Key, because its response is not stored', async () => {
    const { id } = await quoteFor();
    const as = { ...business.owner, 'Idempotency-Key': 'enlace-1' };

    const [first, second] = [await link(id, as), await link(id, as)];
    const other = await link(id, as, { message: 'Otra' });

    assert.deepEqual([first.status, second.status, other.status], [200, 200, 422]);
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('Idempotency-Replayed'), null);
    const [row] = await app.deps.withTenant(business.tenantId, (trx) =>
      trx('idempotencyKeys').where({ tenantId: business.tenantId }).select<{ answerSealed: unknown }[]>('answerSealed'),
    );
    assert.equal(row?.answerSealed, null);
  });
});
