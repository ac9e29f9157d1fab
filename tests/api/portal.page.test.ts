import assert from 'node:assert/strict';
import { Tenant } from '../../db/models/tenant.ts';
import { ASSETS_VERSION } from '../../portal/assets.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { ownService, type Response, type Service, service } from './service.ts';
import { storedQuote } from './stored.ts';

needs('storage');

const textOf = ({ bytes }: Response): string => bytes.toString();
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const FILLED = { signerName: 'Laura Méndez', signerEmail: 'laura@cliente.test', version: '1', consent: 'si' };

describe('Page /p/:token', () => {
  let app: Service;
  let own: Record<string, string>;
  before(async () => {
    app = await service();
    own = { ...FORM, Origin: new URL(app.deps.config.PUBLIC_URL).origin };
  });
  const submit = (path: string, fields: Record<string, string>, headers = own) =>
    app.request('POST', path, { headers, body: new URLSearchParams(fields).toString() });

  it('answers 200 with the quote in Spanish and headers that protect the link', async () => {
    const { page } = await build.sentQuote(await build.business(), { notes: 'Entrega en obra' });

    const res = await app.get(page);

    assert.equal(res.status, 200);
    assert.match(res.headers.get('Content-Type') ?? '', /^text\/html; charset=utf-8/);
    assert.equal(res.headers.get('Referrer-Policy'), 'same-origin');
    assert.equal(res.headers.get('Cache-Control'), 'no-store');
    assert.equal(res.headers.get('X-Robots-Tag'), 'noindex, nofollow');
    const text = textOf(res);
    for (const part of [
      'lang="es-MX"',
      'COT-1',
      'Silla',
      '$232.00',
      'Entrega en obra',
      'Aceptar cotización',
      '/pdf"',
    ]) {
      assert.ok(text.includes(part), part);
    }
  });

  it('its policy allows only own files and the style element with the nonce', async () => {
    const { page } = await build.sentQuote(await build.business());

    const res = await app.get(page);

    const policy = res.headers.get('Content-Security-Policy') ?? '';
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
    assert.ok(nonce.length >= 22);
    assert.equal(
      policy.replace(nonce, 'N'),
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    const text = textOf(res);
    assert.ok(text.includes(`<style nonce="${nonce}">`));
    assert.doesNotMatch(text, /<script>|<script [^>]*>[^<]|style="|onclick|https?:\/\//);
    const files = [...text.matchAll(/(?:src|href)="(\/p\/assets\/[^"]+)"/g)].map(([, file]) => file ?? '');
    const responses = await Promise.all(files.map((file) => app.get(file)));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200],
    );
  });

  it('escapes markup in texts of users', async () => {
    const business = await build.business({ companyName: '<i>Acme</i>' });
    const evil = '<img src=x onerror=alert(1)><b>x</b>';
    const items = [{ productName: evil, model: '"><script>alert(1)</script>', unitPrice: 1, quantity: 1 }];
    const { id: clientId } = await build.client(business.owner, { contactName: '"onfocus=alert(1) x="' });
    const { page } = await build.sentQuote(business, { clientId, items, notes: `${evil} 😀` });

    const text = textOf(await app.get(page));

    assert.doesNotMatch(text, /<img src=x|<script>alert|<i>Acme|"onfocus/);
    assert.ok(text.includes('&lt;img src=x onerror=alert(1)&gt;&lt;b&gt;x&lt;/b&gt; 😀'));
  });

  it('has the colours of the business, and its logo from the own origin', async () => {
    const business = await build.business();
    const key = `t/${business.tenantId}/logo/x.png`;
    await app.deps.storage.put(key, Buffer.from('PNG'), 'image/png');
    await app.deps.withTenant(business.tenantId, (trx) =>
      Tenant.query(trx).findById(business.tenantId).patch({ logoKey: key, pdfBranding: '{"primaryColor":"#f2b705"}' }),
    );
    const { page, portal } = await build.sentQuote(business);

    const text = textOf(await app.get(page));
    const logo = await app.get(`${page}/logo`);

    assert.match(text, /--brand: #f2b705/);
    assert.ok(text.includes(`src="${page}/logo"`));
    assert.deepEqual([logo.status, logo.headers.get('Content-Type'), textOf(logo)], [200, 'image/png', 'PNG']);
    const { logoUrl } = (await app.get(portal)).body.business;
    assert.equal(logoUrl, `${app.deps.config.PUBLIC_URL}${page}/logo`);
  });

  it('has a dark background behind a light logo', async () => {
    const business = await build.business();
    const classOf = async (logoKey: string | null) => {
      await app.deps.withTenant(business.tenantId, (trx) =>
        Tenant.query(trx).findById(business.tenantId).patch({ logoKey }),
      );
      const { page } = await build.sentQuote(business);
      return /<img\s+class="([^"]*)"/.exec(textOf(await app.get(page)))?.[1];
    };

    const key = `t/${business.tenantId}/logo/x`;
    assert.deepEqual(
      [await classOf(`${key}.png`), await classOf(`${key}.light.png`), await classOf(null)],
      ['logo', 'logo logo-light', undefined],
    );
  });

  it("the form starts with the client's address, but not under a link that was not sent to that client", async () => {
    const business = await build.business();
    const { owner } = business;
    const { id, page, client } = await build.sentQuote(business);
    const addressOn = async (path: string) =>
      /name="signerEmail"[^>]*? value="([^"]*)"/.exec(textOf(await app.get(path)))?.[1];

    const sent = await addressOn(page);
    const { id: clientId } = await build.client(owner);
    await app.post(`/api/quotes/${id}/revise`, { clientId, items: [build.ITEM] }, owner);
    const { url } = (await app.get(`/api/quotes/${id}/link`, owner)).body;
    const revised = await addressOn(new URL(url).pathname);

    assert.deepEqual([sent, revised], [client.email, '']);
  });

  it("a page without a form does not contain the client's address", async () => {
    const business = await build.business();
    const { id, page, client } = await build.sentQuote(business);
    await build.patchQuote(business, id, { status: 'LOST' });

    assert.ok(!textOf(await app.get(page)).includes(client.email));
  });

  it('renders a thousand lines', async () => {
    const items = Array.from({ length: 1_000 }, (_, i) => ({ ...build.ITEM, productName: `Silla ${i}` }));
    const { page } = await build.sentQuote(await build.business(), { items });

    const text = textOf(await app.get(page));

    assert.equal(text.match(/role="rowheader"/g)?.length, 1_000);
  });

  it('renders names of two thousand characters', async () => {
    const productName = 'ñ'.repeat(2_000);
    const items = Array.from({ length: 90 }, () => ({ ...build.ITEM, productName }));
    const { page } = await build.sentQuote(await build.business(), { items });

    const text = textOf(await app.get(page));

    assert.equal(text.split(productName).length - 1, 90);
  });

  it('assets are cached permanently under their hash and never under another name', async () => {
    const { page } = await build.sentQuote(await build.business());
    const text = textOf(await app.get(page));
    const [script = ''] = /\/p\/assets\/[0-9a-f]{12}\/portal\.js/.exec(text) ?? [];
    const folder = script.replace('portal.js', '');
    const names = [
      'portal.css',
      'portal.js',
      'accept-form.js',
      'dock.js',
      'parse-page.js',
      'selection.js',
      'send.js',
      'signature-font.js',
      'signature_pad.js',
    ];

    const files = await Promise.all(names.map((name) => app.get(folder + name)));
    const old = await app.get('/p/assets/000000000000/portal.js');
    const unknown = await app.get(`${folder}otro.js`);

    assert.deepEqual(
      files.map(({ status, headers }) => [status, headers.get('Cache-Control')]),
      names.map(() => [200, 'public, max-age=31536000, immutable']),
    );
    assert.deepEqual([old.status, old.headers.get('Cache-Control')], [200, 'no-store']);
    assert.equal(unknown.status, 404);
  });

  it('texts among the assets are compressed for readers who accept it, and fonts are not', async () => {
    const folder = `/p/assets/${ASSETS_VERSION}/`;
    const encodingOf = async (name: string, accepted: string) => {
      const { headers } = await app.get(folder + name, { 'Accept-Encoding': accepted });
      return [headers.get('Content-Encoding'), headers.get('Vary')?.includes('Accept-Encoding')];
    };

    assert.deepEqual(await encodingOf('portal.css', 'gzip, br'), ['gzip', true]);
    assert.deepEqual(await encodingOf('portal.css', 'identity'), [null, true]);
    assert.deepEqual(await encodingOf('signature.woff2', 'gzip, br'), [null, true]);
  });

  it('answers the same 404 page for unknown tokens, replaced links, drafts and FREE businesses', async () => {
    const business = await build.business();
    const draft = await build.quote(business.owner);
    const rotated = await build.sentQuote(business);
    await app.post(`/api/quotes/${rotated.id}/link/rotate`, {}, business.owner);
    const free = await build.business();
    const onFree = await build.sentQuote(free);
    await build.patchTenant(free, { plan: 'FREE' });

    const pages = [`/p/${'A'.repeat(43)}`, '/p/x', `/p/${draft.publicToken}`, rotated.page, onFree.page];
    const responses = await Promise.all(pages.map((page) => app.get(page)));

    const seen = responses.map((res) => [res.status, textOf(res).replace(/nonce="[^"]+"/, '')]);
    assert.equal(new Set(seen.map(String)).size, 1);
    assert.equal(seen[0]?.[0], 404);
    assert.match(String(seen[0]?.[1]), /Cotización no encontrada/);
  });

  const states: [string, Parameters<typeof build.patchQuote>[2], RegExp][] = [
    ['ACCEPTED', { status: 'ACCEPTED' }, /Cotización aceptada/],
    ['REJECTED', { status: 'REJECTED' }, /Cotización rechazada/],
    ['WON', { status: 'WON' }, /Esta cotización está cerrada/],
    ['LOST', { status: 'LOST' }, /Esta cotización está cerrada/],
    ['expired', { expiresAt: new Date(Date.now() - 1_000) }, /Esta cotización venció el/],
  ];
  for (const [state, columns, words] of states) {
    it(`shows a quote that is ${state}, without forms`, async () => {
      const business = await build.business();
      const { id, page } = await build.sentQuote(business);
      await build.patchQuote(business, id, columns);

      const res = await app.get(page);

      assert.equal(res.status, 200);
      assert.match(textOf(res), words);
      assert.doesNotMatch(textOf(res), /<form/);
    });
  }

  describe('forms without scripts', () => {
    it('accepting answers 303 to the page, which shows the signer', async () => {
      const business = await build.business();
      const { id, page } = await build.sentQuote(business);

      const res = await submit(`${page}/accept`, FILLED);

      assert.deepEqual([res.status, res.headers.get('Location')], [303, page]);
      assert.equal((await storedQuote(business, id)).status, 'ACCEPTED');
      assert.match(
        textOf(await app.get(page)),
        /Cotización aceptada[\s\S]*Firmada por <strong><bdi>Laura Méndez<\/bdi>/,
      );
    });

    it('rejecting with a reason answers 303, and the page shows the reason', async () => {
      const { page } = await build.sentQuote(await build.business());

      const res = await submit(`${page}/reject`, { reason: 'Muy <b>caro</b>\r\ny tarde' });

      assert.equal(res.status, 303);
      assert.match(textOf(await app.get(page)), /«<bdi>Muy &lt;b&gt;caro&lt;\/b&gt;\ny tarde<\/bdi>»/);
    });

    it('invalid fields answer 400 with a message for each, keep the input and change nothing', async () => {
      const business = await build.business();
      const { id, page } = await build.sentQuote(business);

      const res = await submit(`${page}/accept`, { signerName: ' ', signerEmail: 'laura@', version: '1' });

      const text = textOf(res);
      // Without the sentences that only the script says.
      const shown = text.replace(/data-invalid="[^"]*"/g, '');
      assert.equal(res.status, 400);
      for (const words of [
        'Escriba su nombre completo.',
        'correo electrónico válido',
        'Marque la casilla para aceptar.',
      ]) {
        assert.equal(shown.split(words).length - 1, 2, words);
      }
      assert.equal(text.match(/aria-invalid="true"/g)?.length, 3);
      assert.match(text, /role="alert"/);
      assert.match(text, /value="laura@"/);
      assert.equal((await storedQuote(business, id)).status, 'SENT');
    });

    it('an older version answers 409 «La versión de la cotización cambió» with the new version', async () => {
      const business = await build.business();
      const { id, page, client } = await build.sentQuote(business);
      const items = [{ productName: 'Mesa', unitPrice: 5, quantity: 1 }];
      await app.post(`/api/quotes/${id}/revise`, { clientId: client.id, items }, business.owner);

      const res = await submit(`${page}/accept`, FILLED);

      assert.equal(res.status, 409);
      assert.match(textOf(res), /La versión de la cotización cambió[\s\S]*Mesa[\s\S]*name="version" value="2"/);
    });

    it('the opposite decision answers 409 «La cotización ya fue respondida»', async () => {
      const { page } = await build.sentQuote(await build.business());
      await submit(`${page}/reject`, {});

      const res = await submit(`${page}/accept`, FILLED);

      assert.equal(res.status, 409);
      assert.match(textOf(res), /La cotización ya fue respondida[\s\S]*Cotización rechazada/);
    });

    const foreign: Record<string, Record<string, string>> = {
      'another site': { ...FORM, Origin: 'https://otro.example', 'Sec-Fetch-Site': 'cross-site' },
      'an opaque origin': { ...FORM, Origin: 'null' },
      'an unknown origin': FORM,
    };
    for (const [where, headers] of Object.entries(foreign)) {
      it(`a post from ${where} answers 403 «Origen no permitido»`, async () => {
        const business = await build.business();
        const { id, page } = await build.sentQuote(business);

        const res = await submit(`${page}/accept`, FILLED, headers);

        assert.equal(res.status, 403);
        assert.match(textOf(res), /Origen no permitido/);
        assert.equal((await storedQuote(business, id)).status, 'SENT');
      });
    }

    it('an unknown token answers 404, and GET of a form’s URL answers 303', async () => {
      const unknown = `/p/${'A'.repeat(43)}`;

      assert.equal((await submit(`${unknown}/accept`, FILLED)).status, 404);
      assert.equal((await app.get(`${unknown}/accept`)).status, 303);
    });
  });
});

describe('Views of the page', () => {
  let app: Service;
  before(async () => {
    app = await ownService({ TRUSTED_PROXIES: '1' });
  });
  const BROWSER = { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605.1.15' };
  const open = (page: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.request(method, page, { headers: { ...BROWSER, ...headers } });
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const viewsOf = async (business: build.Business, id: string) => {
    const { rows } = await app.deps.withTenant(business.tenantId, (trx) =>
      trx.raw<{ rows: { type: string }[] }>(
        "select type from outbox_events where quote_id = ? and type = 'quote.viewed'",
        [id],
      ),
    );
    return { views: (await storedQuote(business, id)).viewCount, events: rows.length };
  };

  it('count once per browser session, each with an event of a SENT quote', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);

    const first = await open(page);
    await open(page, build.cookieOf(first.headers));
    const [cookie] = first.headers.getSetCookie();

    assert.deepEqual(await viewsOf(business, id), { views: 1, events: 1 });
    assert.match(cookie ?? '', /^quoting\.view=1; path=\/p\/[\w-]{43}; samesite=lax; httponly$/i);
    await open(page, { ...build.cookieOf(first.headers), ...from('203.0.113.9') });
    assert.deepEqual(await viewsOf(business, id), { views: 1, events: 1 });
  });

  it('count once per hour, address and quote: six loads without a cookie are one view', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);
    const other = await build.sentQuote(business);

    for (let i = 0; i < 6; i += 1) await open(page);
    await open(other.page);

    assert.deepEqual(await viewsOf(business, id), { views: 1, events: 1 });
    assert.deepEqual(await viewsOf(business, other.id), { views: 1, events: 1 });
  });

  it('count once per IPv6 network, also after the link was replaced', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);

    await open(page, from('2001:db8:1:2::7'));
    await open(page, from('[2001:db8:1:2:9::8]:1234'));
    const { body } = await app.post(`/api/quotes/${id}/link/rotate`, {}, business.owner);
    await open(`/p/${body.publicToken}`, from('2001:db8:1:2::7'));

    assert.deepEqual(await viewsOf(business, id), { views: 1, events: 1 });
  });

  it('count again after an hour, set no cookie before, and delete older rows', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);
    const rows = (sql: string) =>
      app.deps.withTenant(business.tenantId, async (trx) => (await trx.raw<{ rows: object[] }>(sql, [])).rows);
    await open(page);
    await open(page, from('203.0.113.9'));
    const again = await open(page);
    await rows("update quote_views set counted_at = counted_at - interval '1 hour'");

    await open(page);

    assert.deepEqual(again.headers.getSetCookie(), []);
    assert.deepEqual(await viewsOf(business, id), { views: 3, events: 3 });
    assert.equal((await rows('select from quote_views')).length, 1);
  });

  it('count twenty concurrent addresses each, and twenty concurrent loads of one address once', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);

    await Promise.all(Array.from({ length: 20 }, (_, i) => open(page, from(`203.0.113.${i}`))));
    await Promise.all(Array.from({ length: 20 }, () => open(page, from('198.51.100.1'))));

    assert.deepEqual(await viewsOf(business, id), { views: 21, events: 21 });
  });

  it('of a decided quote count without an event', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);
    await build.patchQuote(business, id, { status: 'ACCEPTED' });

    await open(page);

    assert.deepEqual(await viewsOf(business, id), { views: 1, events: 0 });
  });

  it('exclude HEAD, the PDF, prefetches, known bots and members of the business', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);

    const responses = await Promise.all([
      open(page, {}, 'HEAD'),
      open(`${page}/pdf`),
      open(page, { 'Sec-Purpose': 'prefetch' }),
      open(page, { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }),
      open(page, { 'User-Agent': 'WhatsApp/2.23.20.0' }),
      open(page, { 'User-Agent': 'facebookexternalhit/1.1' }),
      open(page, business.owner),
    ]);

    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(await viewsOf(business, id), { views: 0, events: 0 });
  });

  it('include members of another business and ended sessions', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);
    const stranger = await build.business();

    await open(page, { ...stranger.owner, ...from('203.0.113.9') });
    await open(page, { Cookie: `${app.deps.cookies.name}=basura` });

    assert.deepEqual(await viewsOf(business, id), { views: 2, events: 2 });
  });
});
