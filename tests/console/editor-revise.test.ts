import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import * as build from '../api/build.ts';
import { type Credential, type Service, service } from '../api/service.ts';
import { errorAt, fieldsIn, filled, open, submit, titleOf } from './browse.ts';

const pathOf = (id: string): string => `/app/quotes/${id}/revise`;

const RICH = {
  items: [
    { productName: 'Silla', model: 'S-1', unitPrice: 1850.5, quantity: 3, discountPct: 10, taxes: ['IVA16', 'RET_IVA'], section: 'Muebles' },
    { productName: 'Tela', description: 'Gris\nclara', unit: 'm²', unitPrice: 0.333333, quantity: 2.5, taxes: [] },
    { productName: 'Lámpara', unitPrice: 980, quantity: 1, optional: true, selected: true },
    { productName: 'Roble', unitPrice: 10, quantity: 1, choice: 'Acabado' },
    { productName: 'Nogal', unitPrice: 20, quantity: 1, choice: 'Acabado', selected: true },
  ],
  title: 'Oficina',
  reference: 'OC-1',
  notes: 'Hola',
  terms: 'Contado',
  internalNotes: 'Margen',
  discountPct: 5,
  shippingCost: 450,
  shippingTaxes: ['IVA16'],
  deposit: { type: 'percent', value: 50, note: 'Al firmar' },
  metadata: { 'a.b': 'x' },
}; // prettier-ignore

describe('/app/quotes/:id/revise', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const read = async (id: string, as: Credential) => (await app.get(`/api/quotes/${id}`, as)).body;
  const selects = (quote: { deposit: { type: string } | null; currency: string }) => ({
    'deposit.type': quote.deposit?.type ?? '',
    currency: quote.currency,
  });

  it('saves a new version; what was not touched stays as it was', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner, RICH);
    const before = await read(id, owner);
    const { html } = await open(pathOf(id), owner);

    const fields = filled(html, { ...selects(before), title: 'Oficina grande' }, pathOf(id));
    const { status, headers, html: refused } = await submit(pathOf(id), fields, { as: owner });

    assert.equal(status, 303, refused);
    assert.equal(headers.get('Location'), `/app/quotes/${id}?notice=quote_revised`);
    const after = await read(id, owner);
    assert.deepEqual([after.version, after.title], [2, 'Oficina grande']);
    const stable = ({ version: _v, title: _t, items, ...rest }: typeof after) => ({
      ...rest,
      items: items.map(({ id: _id, ...line }: { id: string }) => line),
    });
    assert.deepEqual(stable(after), stable(before));
  });

  it('clears what was emptied', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner, RICH);
    const { html } = await open(pathOf(id), owner);

    const empty = ['title', 'reference', 'notes', 'terms', 'internalNotes', 'discountPct', 'shippingCost', 'deposit.type', 'metadataRows.0.name']; // prettier-ignore
    const fields = filled(html, Object.fromEntries(empty.map((name) => [name, ''])), pathOf(id));
    const { status } = await submit(pathOf(id), fields, { as: owner });

    assert.equal(status, 303);
    const { title, reference, notes, terms, internalNotes, discountPct, shippingCost, deposit, metadata } = await read(id, owner); // prettier-ignore
    assert.deepEqual(
      [title, reference, notes, terms, internalNotes, discountPct, shippingCost, deposit, metadata],
      [null, null, '', null, null, '0.00', '0.00', null, {}],
    );
  });

  it('answers 412 to a form that is older than the quote, as after the back button, keeps the input and saves it then', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);
    const { html } = await open(pathOf(id), owner);
    const first = filled(html, { 'items.0.productName': 'Silla nueva' }, pathOf(id));
    assert.equal((await submit(pathOf(id), first, { as: owner })).status, 303);
    const second = filled(html, { 'items.0.productName': 'Banca' }, pathOf(id));
    const another = second.map(([name, value]): [string, string] => [name, name === 'key' ? 'otra-clave' : value]);

    const sameKey = await submit(pathOf(id), second, { as: owner });
    const stale = await submit(pathOf(id), another, { as: owner });
    const saved = await submit(pathOf(id), fieldsIn(stale.html, pathOf(id)), { as: owner });

    assert.deepEqual([sameKey.status, stale.status], [422, 412]);
    for (const shown of [sameKey, stale]) {
      assert.match(shown.html, /hay una versión más nueva/);
      assert.match(shown.html, new RegExp(`href="/app/quotes/${id}">Vea la versión actual`));
      assert.equal(new Map(fieldsIn(shown.html, pathOf(id))).get('items.0.productName'), 'Banca');
    }
    assert.equal(saved.status, 303, saved.html);
    const { version, items } = await read(id, owner);
    assert.deepEqual([version, items[0].productName], [3, 'Banca']);
  });

  it('saves one version from two submissions of the same form', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);
    const { html } = await open(pathOf(id), owner);
    const fields = fieldsIn(html, pathOf(id));

    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await submit(pathOf(id), fields, { as: owner })).status);

    assert.deepEqual(statuses, [303, 303]);
    assert.equal((await read(id, owner)).version, 2);
  });

  it('shows refusals beside their fields, and explains a final quote, FREE and a quote of another business', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    const won = await build.quote(business.owner);
    await build.patchQuote(business, won.id, { status: 'WON' });
    const free = await build.business({ plan: 'FREE' });
    const own = await build.quote(free.owner);
    const { html } = await open(pathOf(id), business.owner);

    const refused = await submit(pathOf(id), filled(html, { 'items.0.quantity': '0' }, pathOf(id)), {
      as: business.owner,
    });
    const final = await open(pathOf(won.id), business.owner);
    const gate = await open(pathOf(own.id), free.owner);
    const foreign = await open(pathOf(id), free.owner);

    assert.equal(refused.status, 400);
    assert.ok(errorAt(refused.html, 'items.0.quantity'));
    assert.match(final.html, /ya no se puede revisar/);
    assert.deepEqual([gate.status, titleOf(gate.html)], [403, 'Disponible en el plan PRO']);
    assert.equal(foreign.status, 403);
  });

  it('revises a quote of 1,000 lines in pages of 50 and loses nothing', async function () {
    this.timeout(120_000);
    const { owner } = await build.business();
    const items = Array.from({ length: 1000 }, (_, row) => ({
      productName: `Partida ${row}`,
      unitPrice: row + 0.25,
      quantity: 1 + (row % 7),
      ...(row % 3 === 0 && { section: `Sección ${Math.floor(row / 100)}`, taxes: ['IVA8'] }),
    }));
    const { id } = await build.quote(owner, { items });
    const path = pathOf(id);
    const { html } = await open(path, owner);

    const last = await submit(path, filled(html, { do: 'page.20', 'items.0.productName': 'Primera' }, path), {
      as: owner,
    });
    const saved = await submit(path, filled(last.html, { 'items.999.productName': 'Última' }, path), { as: owner });

    assert.match(last.html, /Partidas 951 a 1000 de 1000/);
    assert.equal(saved.status, 303, saved.html.slice(0, 2000));
    const after = await read(id, owner);
    assert.equal(after.items.length, 1000);
    for (const [row, line] of after.items.entries()) {
      const {
        productName,
        unitPrice,
        quantity,
        section = null,
        taxes = null,
      } = { section: undefined, taxes: undefined, ...items[row] };
      const name = row === 0 ? 'Primera' : row === 999 ? 'Última' : productName;
      assert.deepEqual(
        [line.productName, Number(line.unitPrice), line.quantity, line.section, line.taxes],
        [name, unitPrice, quantity, section ?? null, taxes ?? null],
      );
    }
  });

  it('the form of 50 lines has at most 85 KB with gzip, which leaves room for the assets', async () => {
    const { owner } = await build.business();
    const items = Array.from({ length: 50 }, (_, row) => ({ ...build.ITEM, productName: `Partida ${row}` }));
    const { id } = await build.quote(owner, { items });

    const { html } = await open(pathOf(id), owner);

    assert.ok(gzipSync(html).length <= 85_000, String(gzipSync(html).length));
  });
});
