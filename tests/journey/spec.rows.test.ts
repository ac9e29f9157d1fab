import assert from 'node:assert/strict';
import { createClient, type QuotingClient, QuotingError, unwrap } from '../../packages/client/client.ts';
import { type Business, mailsTo, makeQuote, register, statusOf } from './business.ts';
import { type Installation, installation } from './installation.ts';

/** Rows of the API's tables that need a worker and a mail server; all others are in tests/api/spec.*.test.ts. */
describe('API table rows that need the complete service', () => {
  let service: Installation;
  let business: Business;
  let api: QuotingClient;

  before(async () => {
    service = await installation();
    business = await register(service);
    const { body } = await service.http.post('/api/api-keys', { name: 'Integración' }, business.owner);
    api = createClient({ baseUrl: service.http.url, apiKey: body.key });
  });

  const share = (id: string) => unwrap(api.POST('/api/v1/quotes/{id}/share', { params: { path: { id } } }));

  it('POST /api/quotes/:id/share → 200 {success: true}; the client has the mail, the quote is SENT', async () => {
    const quote = await makeQuote(service, business);

    assert.deepEqual(await share(quote.id), { success: true });
    assert.equal((await mailsTo(service, quote)).length, 1);
    assert.equal(await statusOf(service, business, quote), 'SENT');
  });

  it('500 «Error al enviar el correo»: e-mail delivery failed on share; the quote stays GENERATED', async () => {
    const quote = await makeQuote(service, business, 'reject+550');

    await assert.rejects(share(quote.id), (error: unknown) => {
      assert.ok(error instanceof QuotingError);
      assert.deepEqual([error.status, error.message, error.code], [500, 'Error al enviar el correo', 'mail_failed']);
      return true;
    });
    assert.equal(await statusOf(service, business, quote), 'GENERATED');
  });
});
