import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readPdf } from '../adapters/pdf-text.ts';
import { eventually } from '../eventually.ts';
import { eventsOf, mailsTo, makeQuote, register, share, statusOf } from './business.ts';
import { installation } from './installation.ts';

describe('client, from the mail to the signed document', () => {
  it('opens the mail’s link, accepts on the page, and gets the document that the evidence names; the owner gets one notification', async () => {
    const service = await installation();
    const business = await register(service);
    const quote = await makeQuote(service, business);
    await share(service, business, quote);
    const [mail] = await mailsTo(service, quote);
    const message = (await (await fetch(`${service.parts.inbox.apiUrl}/${mail?.id}`)).json()) as { text: string };
    const [link = ''] = /https?:\/\/\S+\/p\/[\w-]{43}/.exec(message.text) ?? [];
    assert.ok(link, message.text);

    const { pathname, origin } = new URL(link);
    const page = await service.http.get(pathname, { 'User-Agent': 'Mozilla/5.0 Safari/605.1.15' });
    const form = { signerName: 'Laura Méndez', signerEmail: quote.clientEmail, version: '1', consent: 'si' };
    const headers = { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    const accepted = await service.http.request('POST', `${pathname}/accept`, { headers, body });

    assert.deepEqual([page.status, accepted.status], [200, 303]);
    assert.equal(await statusOf(service, business, quote), 'ACCEPTED');
    const signed = await service.http.get(`${pathname}/pdf`);
    assert.match((await readPdf(signed.bytes)).text, /FIRMA DE ACEPTACIÓN[\s\S]*Laura Méndez/);
    const { body: evidence } = await service.http.get(`/api/quotes/${quote.id}/signature/evidence`, business.owner);
    assert.equal(evidence.pdfSha256, createHash('sha256').update(signed.bytes).digest('hex'));
    assert.deepEqual(await eventsOf(service, quote), [
      'quote.created',
      'quote.status_changed',
      'quote.sent',
      'quote.viewed',
      'quote.status_changed',
      'quote.accepted',
    ]);
    const [notification] = await eventually(async () => {
      const { body: list } = await service.http.get('/api/notifications', business.owner);
      const accepted = list.data.filter(({ type }: { type: string }) => type === 'quote_accepted');
      assert.equal(accepted.length, 1);
      return accepted;
    });
    assert.equal(notification.title, 'Cotización aceptada por el cliente');
    assert.equal(notification.metadata.quoteId, quote.id);
    assert.equal(notification.metadata.answer.signerName, 'Laura Méndez');
  });
});
