import assert from 'node:assert/strict';
import { Client } from '../../db/models/client.ts';
import { Quote } from '../../db/models/quote.ts';
import { Session } from '../../db/models/session.ts';
import * as build from '../api/build.ts';
import { type Credential, type Service, service } from '../api/service.ts';
import { cookieIn, errorAt, fieldsIn, filled, open, submit, titleOf } from './browse.ts';

const PATH = '/app/quotes/new';

/** Three lines, as somebody types them. */
const LINES = {
  'items.0.productName': 'Silla',
  'items.0.quantity': '4',
  'items.0.unitPrice': '1,850.50',
  'items.1.productName': 'Mesa',
  'items.1.unitPrice': '7490',
  'items.2.productName': 'Flete',
  'items.2.unitPrice': '380',
};

describe(PATH, () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const quotesOf = ({ tenantId }: build.Business) =>
    app.deps.withTenant(tenantId, (trx) => Quote.query(trx).where({ tenantId }).withGraphFetched('items'));
  const idIn = (headers: Headers): string => /\/app\/quotes\/(\w+)\?/.exec(headers.get('Location') ?? '')?.[1] ?? '';
  const valueIn = (html: string, name: string) => new Map(fieldsIn(html, PATH)).get(name);
  const read = async (id: string, as: Credential) => (await app.get(`/api/quotes/${id}`, as)).body;

  /** The form after one of its buttons. */
  const pressed = (html: string, button: string, as: Credential, values: Record<string, string> = {}) =>
    submit(PATH, filled(html, { ...values, do: button }, PATH), { as });

  it('creates a quote for a chosen client from three lines, and says what comes next', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner);
    const { html } = await open(PATH, business.owner);
    assert.match(html, new RegExp(`value="client-pick\\.${clientId}"`));

    const chosen = await pressed(html, `client-pick.${clientId}`, business.owner, LINES);
    const { status, headers } = await submit(PATH, fieldsIn(chosen.html, PATH), { as: business.owner });

    assert.equal(status, 303);
    assert.match(headers.get('Location') ?? '', /^\/app\/quotes\/\w+\?notice=quote_created$/);
    const { client, items, subtotal, total } = await read(idIn(headers), business.owner);
    assert.equal(client.id, clientId);
    assert.deepEqual(
      items.map(({ productName, quantity, unitPrice }: Record<string, unknown>) => [productName, quantity, unitPrice]),
      [['Silla', 4, '1850.50'], ['Mesa', 1, '7490.00'], ['Flete', 1, '380.00']],
    ); // prettier-ignore
    assert.deepEqual([subtotal, total], ['15272.00', '17715.52']);
    const after = await open('/app/quotes?notice=quote_created', business.owner);
    assert.match(after.html, /compártala con su cliente/);
  });

  it('stores every member of a quote that the form has', async () => {
    const { owner } = await build.business();
    const { id: clientId } = await build.client(owner);
    const { html } = await open(`${PATH}?client=${clientId}`, owner);

    const fields = [
      ...filled(
        html,
        {
          title: 'Oficina',
          reference: 'OC-1',
          currency: 'USD',
          notes: '',
          terms: 'Contado',
          internalNotes: 'Margen',
          discountPct: '5',
          shippingCost: '450',
          'deposit.type': 'percent',
          'deposit.value': '50',
          'deposit.note': 'Al firmar',
          'metadataRows.0.name': 'a.b',
          'metadataRows.0.value': 'x',
          'items.0.productName': 'Alfombra',
          'items.0.model': 'A-1',
          'items.0.description': 'Gris',
          'items.0.section': 'Pisos',
          'items.0.unit': 'm²',
          'items.0.quantity': '2.5',
          'items.0.unitPrice': '100.125',
          'items.0.discountPct': '10',
          'items.1.productName': 'Roble',
          'items.1.unitPrice': '10',
          'items.1.choice': 'Acabado',
          'items.2.productName': 'Lámpara',
          'items.2.unitPrice': '20',
          'items.2.optional': 'true',
          'items.2.selected': 'true',
        },
        PATH,
      ),
      ['items.0.taxes', 'IVA16'],
      ['items.0.taxes', 'RET_IVA'],
      ['items.1.taxes', '-'],
      ['shippingTaxes', 'IVA16'],
    ] as [string, string][];
    const { status, headers, html: refused } = await submit(PATH, fields, { as: owner });

    assert.equal(status, 303, refused);
    const { items, deposit, metadata, ...quote } = await read(idIn(headers), owner);
    const { title, reference, currency, notes, terms, internalNotes, discountPct, shippingCost, shippingTaxes } = quote;
    assert.deepEqual(
      { title, reference, currency, notes, terms, internalNotes, discountPct, shippingCost, shippingTaxes },
      {
        title: 'Oficina',
        reference: 'OC-1',
        currency: 'USD',
        notes: '',
        terms: 'Contado',
        internalNotes: 'Margen',
        discountPct: '5.00',
        shippingCost: '450.00',
        shippingTaxes: ['IVA16'],
      },
    );
    assert.deepEqual(
      [deposit.type, deposit.value, deposit.note, metadata],
      ['percent', '50.00', 'Al firmar', { 'a.b': 'x' }],
    );
    const members = [
      'model',
      'description',
      'section',
      'unit',
      'quantity',
      'unitPrice',
      'discountPct',
      'taxes',
    ] as const;
    assert.deepEqual(
      members.map((member) => items[0][member]),
      ['A-1', 'Gris', 'Pisos', 'm²', 2.5, '100.125', '10.00', ['IVA16', 'RET_IVA']],
    );
    assert.deepEqual([items[1].choice, items[1].taxes], ['Acabado', []]);
    assert.deepEqual([items[2].optional, items[2].selected, items[2].counts, items[2].taxes], [true, true, true, null]);
  });

  it('shows each refusal beside its field and in the summary, drops blank lines and keeps the input', async () => {
    const { owner } = await build.business();
    const { html } = await open(PATH, owner);

    const fields = filled(html, { 'items.1.productName': '<b>"x"</b>', 'items.1.quantity': '1.5', 'items.1.unitPrice': 'caro', title: 'T'.repeat(121), clientId: '' }, PATH); // prettier-ignore
    const refused = await submit(PATH, fields, { as: owner });

    assert.equal(refused.status, 400);
    assert.ok(errorAt(refused.html, 'clientId'));
    assert.ok(errorAt(refused.html, 'title'));
    assert.ok(errorAt(refused.html, 'items.0.quantity'));
    assert.ok(errorAt(refused.html, 'items.0.unitPrice'));
    assert.match(refused.html, /<a href="#items\.0\.quantity">Cantidad \(fila 1\): /);
    assert.deepEqual(
      [valueIn(refused.html, 'items.0.productName'), valueIn(refused.html, 'items.0.unitPrice')],
      ['<b>"x"</b>', 'caro'],
    );
    assert.ok(!refused.html.includes('<b>"x"'));
  });

  it('creates one quote from two submissions of the same form, also at the same time', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner);
    const { html } = await open(`${PATH}?client=${clientId}`, business.owner);
    const fields = filled(html, LINES, PATH);

    const first = await Promise.all([1, 2].map(() => submit(PATH, fields, { as: business.owner })));
    const later = await submit(PATH, fields, { as: business.owner });

    assert.ok(first.every(({ status }) => status === 303 || status === 409));
    assert.equal(later.status, 303);
    assert.equal((await quotesOf(business)).length, 1);
  });

  it('creates the client beside the quote, once, and shows what is wrong with it', async () => {
    const business = await build.business();
    const { html } = await open(PATH, business.owner);
    const typed = { ...LINES, 'newClient.contactName': 'Laura', 'newClient.email': 'laura' };

    const refused = await submit(PATH, filled(html, typed, PATH), { as: business.owner });
    const created = await pressed(refused.html, 'client-create', business.owner, { 'newClient.email': 'l@palma.test' });
    const saved = await submit(PATH, fieldsIn(created.html, PATH), { as: business.owner });

    assert.equal(refused.status, 400);
    assert.equal(errorAt(refused.html, 'newClient.email'), 'Debe ser un correo electrónico válido');
    assert.match(created.html, /l@palma\.test/);
    assert.equal(saved.status, 303, saved.html);
    const { tenantId } = business;
    const clients = await app.deps.withTenant(tenantId, (trx) => Client.query(trx).where({ tenantId }));
    assert.deepEqual(clients.map(({ contactName }) => contactName), ['Laura']); // prettier-ignore
    assert.equal((await quotesOf(business))[0]?.items?.length, 3);
  });

  it('adds, moves and removes lines and fills one in from the catalogue, keeping all other input', async () => {
    const business = await build.business();
    const { owner } = business;
    const productId = (
      await build.product(business, { name: 'Lámpara', unit: 'pza', taxes: 'IVA8', unitPrice: '99.5' })
    ).id;
    const { html } = await open(PATH, owner);
    const names = (page: string) => [0, 1, 2, 3].map((row) => valueIn(page, `items.${row}.productName`));

    const added = await pressed(html, 'add', owner, { ...LINES, title: 'Oficina' });
    const searched = await pressed(added.html, 'search.3', owner, { 'items.3.productName': 'lampara' });
    const picked = await pressed(searched.html, `pick.3.${productId}`, owner);
    const up = await pressed(picked.html, 'up.3', owner);
    const removed = await pressed(up.html, 'remove.0', owner);

    assert.match(searched.html, new RegExp(`value="pick\\.3\\.${productId}"`));
    assert.deepEqual(names(picked.html), ['Silla', 'Mesa', 'Flete', 'Lámpara']);
    const members = ['unit', 'unitPrice', 'taxes'].map((member) => valueIn(picked.html, `items.3.${member}`));
    assert.deepEqual(members, ['pza', '99.50', 'IVA8']);
    assert.deepEqual(names(up.html), ['Silla', 'Mesa', 'Lámpara', 'Flete']);
    assert.deepEqual(names(removed.html), ['Mesa', 'Lámpara', 'Flete', undefined]);
    assert.equal(valueIn(removed.html, 'title'), 'Oficina');
    assert.match(removed.html, /\$8,681\.16 MXN|\$9,2\d\d/);
  });

  it('starts from a template, and explains PRO to a business on FREE', async () => {
    const { owner } = await build.business();
    const items = [{ productName: 'Silla', unitPrice: 10, quantity: 3, section: 'Muebles' }];
    const template = await app.post(
      '/api/templates',
      { name: 'Básica', items, title: 'Oficina', currency: 'MXN' },
      owner,
    );
    const free = await build.business({ plan: 'FREE' });

    const { html } = await open(`${PATH}?template=${template.body.id}`, owner);
    const refused = await open(PATH, free.owner);

    assert.deepEqual(
      ['title', 'items.0.productName', 'items.0.quantity', 'items.0.section'].map((name) => valueIn(html, name)),
      ['Oficina', 'Silla', '3', 'Muebles'],
    );
    assert.match(refused.html, /Con PRO cotiza en otras monedas/);
    const other = await submit(PATH, filled(refused.html, { ...LINES, currency: 'USD', 'newClient.contactName': 'Ana' }, PATH), { as: free.owner }); // prettier-ignore
    assert.equal(other.status, 403);
    assert.equal(valueIn(other.html, 'items.0.productName'), 'Silla');
  });

  it('keeps the input when the session has ended: sign in, send, created once', async () => {
    const business = await build.business();
    const { tenantId, owner } = business;
    const { id: clientId } = await build.client(owner);
    const { html } = await open(`${PATH}?client=${clientId}`, owner);
    await app.deps.withTenant(tenantId, (trx) =>
      Session.query(trx).where({ tenantId }).patch({ revokedAt: new Date() }),
    );

    const expired = await submit(PATH, filled(html, LINES, PATH), { as: owner });
    const credentials = { email: business.email, password: build.PASSWORD };
    const signedIn = await submit('/login', filled(expired.html, credentials, '/login'));
    const sent = await submit(PATH, fieldsIn(signedIn.html, PATH), { as: cookieIn(signedIn.headers) });

    assert.deepEqual([expired.status, titleOf(signedIn.html)], [401, 'Su sesión había terminado; nada se ha perdido']);
    assert.equal(sent.status, 303, sent.html);
    assert.equal((await quotesOf(business))[0]?.items?.length, 3);
  });

  it('computes the totals of what is filled in, in the words of the client, and stores nothing', async () => {
    const business = await build.business();
    const { html } = await open(PATH, business.owner);
    const fields = filled(
      html,
      { ...LINES, 'items.2.unitPrice': '', 'items.1.optional': 'true', discountPct: '10' },
      PATH,
    );

    const { status, html: totals } = await submit(`${PATH}/totals`, fields, { as: business.owner });

    assert.equal(status, 200);
    const rows = [...totals.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^<]*)<\/dd>/g)].map(([, label, amount]) => [
      label,
      amount,
    ]);
    assert.deepEqual(rows, [
      ['Suma de las partidas', '$7,402.00'],
      ['Descuento (10 %)', '-$740.20'],
      ['Subtotal', '$6,661.80'],
      ['IVA (16 %)', '$1,065.89'],
      ['Total', '$7,727.69 MXN'],
    ]);
    assert.match(totals, /id="importe-1" hx-swap-oob="true"[\s\S]*\$7,490\.00[\s\S]*No suma al total/);
    assert.equal((await quotesOf(business)).length, 0);
  });
});
