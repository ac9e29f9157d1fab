import assert from 'node:assert/strict';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { open } from './browse.ts';
import { collaboratorOf } from './callers.ts';

describe('/app', () => {
  const nextStep = (html: string): string | undefined =>
    /href="([^"]+)"[^>]*>[^<]*<\/a\s*>\s*<\/div>\s*<\/li>/.exec(html)?.[1];
  const stepsDone = (html: string): string | undefined => /(\d) de 4/.exec(html)?.[1];
  const figure = (html: string, label: string): string | undefined =>
    new RegExp(`figure-value">([^<]+)</span>\\s*<span class="figure-label">${label}<`).exec(html)?.[1];

  it('leads an owner step by step to the first quote that is sent, and then shows the steps no more', async () => {
    const business = await build.business();
    const { owner } = business;
    const app = await service();

    const first = await open('/app', owner);
    await app.request('PUT', '/api/settings', { headers: owner, body: { companyName: 'Acme' } });
    const second = await open('/app', owner);
    const client = await build.client(owner);
    const third = await open('/app', owner);
    const quote = await build.quote(owner, { clientId: client.id });
    const fourth = await open('/app', owner);
    await build.patchQuote(business, quote.id, { status: 'SENT' });
    const done = await open('/app', owner);

    const shown = [first, second, third, fourth].map(({ html }) => [stepsDone(html), nextStep(html)]);
    assert.deepEqual(shown, [
      ['0', '/app/settings/business'],
      ['1', '/app/clients/new'],
      ['2', '/app/quotes/new'],
      ['3', '/app/quotes?status=GENERATED'],
    ]);
    assert.equal(stepsDone(done.html), undefined);
    assert.match(done.html, /Nueva cotización/);
  });

  it('counts the quotes that the user may see, and links to each of them', async () => {
    const business = await build.business();
    await build.quote(business.owner);
    await build.sentQuote(business);
    const expired = await build.sentQuote(business);
    await build.patchQuote(business, expired.id, { expiresAt: new Date(Date.now() - 86_400_000) });

    const { html } = await open('/app', business.owner);
    const other = await open('/app', await collaboratorOf(business));

    assert.deepEqual([figure(html, 'Sin enviar'), figure(html, 'Esperan respuesta')], ['1', '1']);
    assert.ok(html.includes('href="/app/quotes?status=SENT&amp;expired=false"'));
    assert.equal(figure(other.html, 'Sin enviar'), undefined);
    assert.equal(stepsDone(other.html), undefined);
  });

  it('shows the newest notifications with a link to their quote, escaped', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await build.notification(business, { body: '<b>"x"</b>', metadata: JSON.stringify({ quoteId: id }) });

    const { html } = await open('/app', business.owner);

    assert.ok(html.includes(`<a href="/app/quotes/${id}">Cotización ganada</a>`));
    assert.ok(html.includes('&lt;b&gt;&quot;x&quot;&lt;/b&gt;') && !html.includes('<b>"x"'));
  });
});
