import assert from 'node:assert/strict';
import { form, pdf } from '../api/attachment-files.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { collaboratorOf } from './callers.ts';
import { attach, errorAt, fieldsIn, filled, open, submit, titleOf } from './browse.ts';

needs('storage');

const HOSTILE = '<b>"x"</b>';

/** A quote with its page and the address of its forms. */
async function detail(owner: build.Business['owner'], fields: Record<string, unknown> = {}) {
  const quote = await build.quote(owner, fields);
  const path = `/app/quotes/${quote.id}`;
  return { quote, path, page: await open(path, owner) };
}

const read = async (id: string, as: build.Business['owner']) =>
  (await (await service()).get(`/api/quotes/${id}`, as)).body;

describe('/app/quotes', () => {
  it('leads to the first quote when there is none', async () => {
    const { owner } = await build.business();

    const { status, html } = await open('/app/quotes', owner);

    assert.equal(status, 200);
    assert.match(html, /Haga su primera cotización/);
    assert.match(html, /href="\/app\/quotes\/new"/);
    assert.ok(!html.includes('role="search"'));
  });

  it('filters by status, label, client, dates, amount and reference, and exports with the same filters', async () => {
    const { owner } = await build.business();
    const { quote } = await detail(owner, { reference: 'OC-1', title: HOSTILE });
    await build.quote(owner);
    const today = new Date().toISOString().slice(0, 10);
    const { clientId } = { clientId: quote.client.id };

    const query = `reference=OC-1&clientId=${clientId}&status=GENERATED&from=2020-01-01&minTotal=1&sort=total`;
    const found = await open(`/app/quotes?${query}`, owner);
    const none = await open(`/app/quotes?to=2020-01-01&search=${today}`, owner);
    const file = await open(`/app/quotes/export.csv?${query}`, owner);

    assert.match(found.html, /1 cotización</);
    assert.ok(found.html.includes('&lt;b&gt;&quot;x&quot;&lt;/b&gt;') && !found.html.includes(HOSTILE));
    assert.match(found.html, /Solo de\s+<strong>La Palma<\/strong>/);
    assert.match(found.html, /export\.xlsx\?[^"]*reference=OC-1/);
    assert.match(none.html, /Ninguna cotización coincide/);
    assert.match(file.headers.get('Content-Disposition') ?? '', /cotizaciones\.csv/);
    assert.equal(file.html.trim().split('\n').length, 2);
  });

  it('answers 400 to a filter that the API refuses, with the message beside its field', async () => {
    const { owner } = await build.business();
    await build.quote(owner);

    const { status, html } = await open('/app/quotes?minTotal=nada&search=silla', owner);

    assert.equal(status, 400);
    assert.equal(errorAt(html, 'minTotal'), 'Debe ser un número');
    assert.match(html, /value="silla"/);
  });

  it('goes on by cursor and keeps the filters', async () => {
    const { owner } = await build.business();
    const client = await build.client(owner);
    for (let made = 0; made < 21; made += 1) await build.quote(owner, { clientId: client.id });

    const first = await open(`/app/quotes?clientId=${client.id}`, owner);
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await open(next, owner);

    assert.match(next, new RegExp(`clientId=${client.id}`));
    assert.match(second.html, />COT-1</);
    assert.ok(!second.html.includes('>COT-2<'));
  });

  it('offers all filters on request, with the creators to an owner of a team', async () => {
    const business = await build.business();
    await build.member(business);
    await build.quote(business.owner);

    const few = await open('/app/quotes', business.owner);
    const all = await open('/app/quotes?more=1', business.owner);
    const collaborator = await open('/app/quotes?more=1', await collaboratorOf(business));

    assert.match(few.html, /href="\/app\/quotes\?more=1">Más filtros y orden</);
    assert.match(all.html, /<select[^>]*id="userId"/);
    assert.ok(!few.html.includes('id="userId"') && !collaborator.html.includes('id="userId"'));
  });
});

describe('/app/quotes/:id', () => {
  it('shows what the client reads, and escapes it', async () => {
    const { owner } = await build.business();
    const item = { ...build.ITEM, productName: HOSTILE, section: 'Obra', description: 'uno\ndos' };

    const { page } = await detail(owner, {
      items: [item, { ...build.ITEM, optional: true }],
      terms: 'A 30 días',
      discountPct: 10,
    });

    assert.equal(page.status, 200);
    assert.equal(titleOf(page.html), 'COT-1');
    assert.ok(!page.html.includes(HOSTILE));
    for (const text of [
      'Subtotal de Obra',
      '$200.00',
      'Descuento (10 %)',
      '-$20.00',
      '$208.80 MXN',
      'Opcional, no incluido',
      'A 30 días',
    ])
      assert.ok(page.html.includes(text), text);
  });

  it('pages the lines of a quote of 1,000 and stays below 100 KB', async () => {
    const { owner } = await build.business();
    const items = Array.from({ length: 1000 }, (_, line) => ({ ...build.ITEM, productName: `Partida ${line + 1}` }));

    const { page, path } = await detail(owner, { items });
    const last = await open(`${path}?lines=20`, owner);

    assert.match(page.html, /Partidas 1 a 50 de 1,000/);
    assert.ok(/Partida 50\s*</.test(page.html) && !/Partida 51\s*</.test(page.html));
    assert.ok(/Partida 1000\s*</.test(last.html) && !/Partida 950\s*</.test(last.html));
    assert.ok(Buffer.byteLength(page.html) < 60_000, `${Buffer.byteLength(page.html)} bytes`);
  });

  it('an owner marks it as sent and as won; a second submission changes nothing', async () => {
    const { owner } = await build.business();
    const { quote, path, page } = await detail(owner);
    const sent = fieldsIn(page.html, `${path}/status`);

    const first = await submit(`${path}/status`, sent, { as: owner });
    const again = await submit(`${path}/status`, sent, { as: owner });
    const won = filled((await open(path, owner)).html, { status: 'WON' }, `${path}/status`);
    const closed = await submit(`${path}/status`, won, { as: owner });

    const location = `${path}?notice=quote_status_changed`;
    assert.deepEqual(
      [first, again, closed].map(({ headers }) => headers.get('Location')),
      [location, location, location],
    );
    assert.equal((await read(quote.id, owner)).status, 'WON');
  });

  it('answers 412 to a status of an outdated page, and shows the current quote', async () => {
    const { owner } = await build.business();
    const { quote, path, page } = await detail(owner);
    await (
      await service()
    ).patch(`/api/quotes/${quote.id}`, { validUntil: (await read(quote.id, owner)).validUntil }, owner);
    await (await service()).patch(`/api/quotes/${quote.id}/status`, { status: 'SENT' }, owner);

    const fields = filled(page.html, { status: 'WON' }, `${path}/status`);
    const refused = await submit(`${path}/status`, fields, { as: owner });

    assert.equal(refused.status, 412);
    assert.match(refused.html, /Alguien cambió estos datos/);
    assert.equal((await read(quote.id, owner)).status, 'SENT');
  });

  it('changes the validity, and answers 400 beside the field to a day that is past', async () => {
    const { owner } = await build.business();
    const { quote, path, page } = await detail(owner);
    const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);

    const fields = filled(page.html, { validUntil: '2020-01-01' }, `${path}/validity`);
    const refused = await submit(`${path}/validity`, fields, { as: owner });
    const changed = await submit(`${path}/validity`, filled(refused.html, { validUntil: day }, `${path}/validity`), {
      as: owner,
    });

    assert.equal(refused.status, 400);
    assert.notEqual(errorAt(refused.html, 'validUntil'), undefined);
    assert.equal(changed.headers.get('Location'), `${path}?notice=quote_validity_changed`);
    assert.equal((await read(quote.id, owner)).validUntil, day);
  });

  it('downloads the PDF', async () => {
    const { owner } = await build.business();
    const { path } = await detail(owner);

    const { status, headers, html } = await open(`${path}/pdf`, owner);

    assert.deepEqual([status, headers.get('Content-Type')], [200, 'application/pdf']);
    assert.equal(headers.get('Content-Disposition'), 'attachment; filename="COT-1.pdf"');
    assert.ok(html.startsWith('%PDF'));
  });

  it('adds and removes labels', async () => {
    const app = await service();
    const { owner } = await build.business();
    const label = await app.post('/api/labels', { name: HOSTILE, color: '#b91c1c' }, owner);
    const { quote, path, page } = await detail(owner);

    await submit(`${path}/add-label`, filled(page.html, { labelId: label.body.id }, `${path}/add-label`), {
      as: owner,
    });
    const shown = await open(path, owner);
    const labelled = await read(quote.id, owner);
    await submit(`${path}/remove-label`, fieldsIn(shown.html, `${path}/remove-label`), { as: owner });

    assert.ok(!shown.html.includes(HOSTILE));
    assert.equal(labelled.labels.length, 1);
    assert.deepEqual((await read(quote.id, owner)).labels, []);
  });

  it('uploads, downloads and removes a file, once per form', async () => {
    const { owner } = await build.business();
    const { quote, path, page } = await detail(owner);
    const key = /upload\?key=([\w-]+)/.exec(page.html)?.[1];

    const refused = await attach(`${path}/upload?key=a`, form('no es un PDF'), owner);
    const added = await attach(`${path}/upload?key=${key}`, form(pdf(), `${HOSTILE}.pdf`), owner);
    await attach(`${path}/upload?key=${key}`, form(pdf(), `${HOSTILE}.pdf`), owner);
    const [file, ...more] = (await read(quote.id, owner)).attachments;
    const downloaded = await open(`${path}/attachments/${file.id}`, owner);
    await submit(`${path}/remove-attachment`, { attachmentId: file.id }, { as: owner });

    assert.equal(refused.status, 400);
    assert.match(refused.html, /Tipo de archivo no permitido/);
    assert.equal(added.headers.get('Location'), `${path}?notice=quote_file_added`);
    assert.deepEqual(more, []);
    assert.match(downloaded.headers.get('Content-Disposition') ?? '', /^attachment/);
    assert.deepEqual((await read(quote.id, owner)).attachments, []);
  });

  it('duplicates once per form, and leads to the copy', async () => {
    const { owner } = await build.business();
    const { path, page } = await detail(owner);
    const fields = fieldsIn(page.html, `${path}/duplicate`);

    const first = await submit(`${path}/duplicate`, fields, { as: owner });
    const again = await submit(`${path}/duplicate`, fields, { as: owner });
    const copy = await open(first.headers.get('Location') ?? '', owner);

    assert.equal(titleOf(copy.html), 'COT-2');
    assert.equal(again.headers.get('Location'), first.headers.get('Location'));
  });

  it('a collaborator sees the own quote without the moves of owners, and 404 for others', async () => {
    const business = await build.business();
    const collaborator = await collaboratorOf(business);
    const own = await detail(collaborator);
    const { path } = await detail(business.owner);

    const other = await open(path, collaborator);

    assert.equal(own.page.status, 200);
    assert.ok(!own.page.html.includes('Marcar como') && !own.page.html.includes('Ejecuciones'));
    assert.match(own.page.html, /action="[^"]*\/validity"/);
    assert.equal(other.status, 404);
  });
});
