import assert from 'node:assert/strict';
import * as build from '../api/build.ts';
import { open } from './browse.ts';
import { collaboratorOf } from './callers.ts';

describe('/app/quotes', () => {
  const numbersIn = (html: string): readonly string[] =>
    [...html.matchAll(/href="\/app\/quotes\/[^"]+">(COT-\d+)</g)].map(([, number = '']) => number);
  const hrefOf = (html: string, text: string): string => {
    const [, href = ''] = new RegExp(`href="([^"]+)"[^>]*>\\s*${text}`).exec(html) ?? [];
    return href.replaceAll('&amp;', '&');
  };

  it('shows number, client, status, total and days as people of the business read them', async () => {
    const { owner } = await build.business();
    const client = await build.client(owner, { companyName: '<b>"Ferretería"</b>', contactName: 'Ana & Luis' });
    await build.quote(owner, { clientId: client.id, title: '<script>alert(1)</script>' });

    const { status, html } = await open('/app/quotes', owner);

    assert.equal(status, 200);
    assert.deepEqual(numbersIn(html), ['COT-1']);
    for (const text of [
      '1 cotización',
      'Sin enviar',
      '$232.00 MXN',
      '&lt;b&gt;&quot;Ferretería&quot;&lt;/b&gt;',
      'Ana &amp; Luis',
    ])
      assert.ok(html.includes(text), text);
    assert.ok(!html.includes('<script>alert') && !html.includes('<b>"Ferretería'));
    assert.match(html, /<time datetime="[^"]+">\d{1,2} [a-z]{3} 20\d\d<\/time>/);
  });

  it('finds by search and status, and keeps both in the form and in the links of pages', async () => {
    const business = await build.business();
    const client = await build.client(business.owner, { companyName: 'Hotel Encino' });
    for (let made = 0; made < 22; made += 1) await build.quote(business.owner, { clientId: client.id });
    const { id } = await build.quote(business.owner);
    await build.patchQuote(business, id, { status: 'WON' });

    const won = await open('/app/quotes?status=WON', business.owner);
    const found = await open('/app/quotes?search=encino&status=GENERATED', business.owner);
    const next = await open(hrefOf(found.html, 'Página siguiente'), business.owner);

    assert.deepEqual(numbersIn(won.html), ['COT-23']);
    assert.match(won.html, /<option value="WON" selected>/);
    assert.equal(numbersIn(found.html).length, 20);
    assert.deepEqual(numbersIn(next.html), ['COT-2', 'COT-1']);
    assert.match(next.html, /value="encino"/);
    assert.equal(hrefOf(next.html, 'Volver al principio'), '/app/quotes?search=encino&status=GENERATED');
  });

  it('says what will be here while there are none, and something else when a filter finds none', async () => {
    const { owner } = await build.business();

    const [none, filtered] = [await open('/app/quotes', owner), await open('/app/quotes?search=zzz', owner)];

    assert.match(none.html, /Haga su primera cotización/);
    assert.match(filtered.html, /Ninguna cotización coincide/);
  });

  it('ignores a status that does not exist, and answers 400 to a cursor of another list', async () => {
    const { owner } = await build.business();

    const [status, cursor] = [
      await open('/app/quotes?status=NADA', owner),
      await open('/app/quotes?cursor=abc', owner),
    ];

    assert.deepEqual([status.status, cursor.status], [200, 400]);
    assert.match(cursor.html, /role="alert"/);
  });

  it('shows a collaborator only the own quotes', async () => {
    const business = await build.business();
    await build.quote(business.owner);

    const { html } = await open('/app/quotes', await collaboratorOf(business));

    assert.match(html, /Haga su primera cotización/);
  });
});
