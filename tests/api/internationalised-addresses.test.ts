import assert from 'node:assert/strict';
import { buildMime } from '../../adapters/mail/message.ts';
import { newId } from '../../db/ids.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

needs('storage');

const BEYOND =
  'debe ser un correo electrónico válido: antes de la @ solo se admiten letras sin acento, cifras y signos de ASCII';

describe('E-mail addresses with an internationalised domain', () => {
  let app: Service;
  let business: build.Business;
  before(async () => {
    app = await service();
    business = await build.business();
  });

  const clientWith = (email: string) => app.post('/api/clients', { contactName: 'Laura', email }, business.owner);

  const taken: readonly [given: string, kept: string][] = [
    ['ventas@diseñoweb.mx', 'ventas@diseñoweb.mx'],
    ['Ventas@DISEÑOWEB.mx', 'Ventas@diseñoweb.mx'],
    ['ventas@disen\u0303oweb.mx', 'ventas@diseñoweb.mx'],
    [' hola@bücher.example\u200b', 'hola@bücher.example'],
    ['info@日本語。jp', 'info@日本語.jp'],
    ['info@xn--diseoweb-g3a.mx', 'info@xn--diseoweb-g3a.mx'],
  ];
  for (const [given, kept] of taken)
    it(`are accepted for a client: ${given.trim()}`, async () => {
      const res = await clientWith(given);

      assert.deepEqual([res.status, res.body.email], [201, kept]);
    });

  it('are accepted in settings and for signers', async () => {
    const settings = await app.request('PUT', '/api/settings', {
      headers: business.owner,
      body: { email: 'ventas@señal.mx' },
    });
    const { id, portal } = await build.sentQuote(business);
    const accepted = await app.post(`${portal}/accept`, { ...build.SIGNER, signerEmail: 'laura@peña.mx' });

    assert.equal(settings.body.data.email, 'ventas@señal.mx');
    assert.equal(accepted.status, 200);
    const { body } = await app.get(`/api/quotes/${id}/signature`, business.owner);
    assert.equal(body.signature.signerEmail, 'laura@peña.mx');
  });

  it('sign in to the same account in Unicode and ASCII form', async () => {
    const local = newId();
    const register = (email: string) =>
      app.post('/api/auth/register', { businessName: 'Acme', name: 'Ana', email, password: build.PASSWORD });
    const signIn = (email: string) => app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });

    const made = await register(`${local}@diseñoweb.mx`);
    const again = await register(`${local}@xn--diseoweb-g3a.mx`);

    assert.deepEqual([made.status, again.status], [201, 409]);
    const responses = await Promise.all(
      [`${local}@diseñoweb.mx`, `${local}@DISEÑOWEB.mx`, `${local}@xn--diseoweb-g3a.mx`].map(signIn),
    );
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200],
    );
  });

  it('are sent with the domain in ASCII in To and Reply-To', async () => {
    const mime = await buildMime(
      {
        locale: 'es-MX',
        fromName: 'Acme',
        to: { name: 'Laura', address: 'laura@diseñoweb.mx' },
        replyTo: { name: 'Ana', address: 'ana@señal.mx' },
        subject: 'Hola',
        messageId: '<a.1@x.test>',
        text: 'x',
        html: 'x',
        attachments: [],
      },
      'cotizaciones@x.test',
    );

    const source = mime.toString();
    assert.match(source, /^To: Laura <laura@xn--diseoweb-g3a\.mx>\r?$/m);
    assert.match(source, /^Reply-To: Ana <ana@xn--seal-hqa\.mx>\r?$/m);
  });

  for (const address of ['josé@ejemplo.mx', 'ñandú@diseñoweb.mx', '山田@example.jp'])
    it(`answer 400 with a specific message for non-ASCII letters before the @: ${address}`, async () => {
      const res = await clientWith(address);

      assert.deepEqual([res.status, res.body.error], [400, `email: ${BEYOND}`]);
    });

  it('the client’s page explains non-ASCII letters before the @', async () => {
    const { page } = await build.sentQuote(business);
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: new URL(app.deps.config.PUBLIC_URL).origin,
    };
    const body = new URLSearchParams({
      signerName: 'José',
      signerEmail: 'josé@ejemplo.mx',
      version: '1',
      consent: 'si',
    });

    const res = await app.request('POST', `${page}/accept`, { headers, body: body.toString() });

    assert.equal(res.status, 400);
    assert.match(res.bytes.toString(), /Antes de la @ solo se admiten letras sin acento/);
  });

  for (const address of [
    'ana@ñ',
    'ana@x_ñ.mx',
    'ana@b＠ñ.mx',
    'ana@１２７.0.0.1',
    `ana@${'ñ'.repeat(64)}.mx`,
    'ana@exa%ñ.mx',
  ])
    it(`answer 400 to an invalid domain: ${address.slice(0, 20)}`, async () => {
      const res = await clientWith(address);

      assert.deepEqual([res.status, res.body.error], [400, 'email: debe ser un correo electrónico válido']);
    });

  it('are processed in linear time, however many combining marks they have', async () => {
    const before = performance.now();
    const email = `ana@${'\u0315'.repeat(40_000)}${'\u0301'.repeat(40_000)}.mx`;

    const res = await app.post('/api/auth/forgot-password', { email });

    assert.ok(res.status >= 400 && performance.now() - before < 2_000, String(res.status));
  });
});
