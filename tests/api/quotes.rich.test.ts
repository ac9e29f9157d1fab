import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { eventsOf } from './stored.ts';

const line = (more: Record<string, unknown> = {}) => ({ productName: 'Silla', unitPrice: 100, quantity: 1, ...more });

/** A quote with every member. */
const FULL = {
  items: [
    line({ section: 'Obra', description: 'Muro de tablaroca', unit: 'm²', quantity: 12.5, taxes: ['IVA16'] }),
    line({ section: 'Obra', taxes: ['EXENTO'], unitPrice: 50 }),
    line({ section: 'Honorarios', taxes: ['IVA16', 'RET_ISR10', 'RET_IVA'], unitPrice: 1000 }),
    line({ optional: true, unitPrice: 300, taxes: ['IVA8'] }),
    line({ choice: 'Acabado', unitPrice: 10, taxes: [] }),
    line({ choice: 'Acabado', unitPrice: 20, taxes: [], selected: true }),
  ],
  discountPct: 10,
  shippingCost: 40,
  shippingTaxes: ['IVA16'],
  title: 'Remodelación',
  reference: 'OC-1',
  terms: 'Contra entrega',
  internalNotes: 'Margen 30 %',
  deposit: { type: 'percent', value: 50, note: 'Al firmar' },
  metadata: { pedido: 'P-7' },
};

describe('Quotes with taxes, sections, options and document fields', () => {
  let app: Service;
  let business: build.Business;
  let clientId: string;
  before(async () => {
    app = await service();
    business = await build.business();
    clientId = (await build.client(business.owner)).id;
  });

  const create = (body: Record<string, unknown>) =>
    app.post('/api/quotes', { clientId, items: [line()], ...body }, business.owner);
  const read = async (id: string) => (await app.get(`/api/quotes/${id}`, business.owner)).body;

  async function refusal(body: Record<string, unknown>): Promise<unknown> {
    const res = await create(body);
    return [res.status, res.body.error];
  }

  it('have amounts of the lines that count, each tax once, and withholdings subtracted', async () => {
    const res = await create(FULL);

    assert.equal(res.status, 201, JSON.stringify(res.body));
    const { subtotal, discount, tax, total, deposit, items } = res.body;
    // 1125 + 45 + 900 + 18; IVA 16 % of 1125 + 900 + 40, less 90 and 96.
    assert.deepEqual([subtotal, discount, tax, total], [2088, 232, 144.4, 2272.4]);
    assert.deepEqual(res.body.taxes, [
      { code: 'IVA16', name: 'IVA 16 %', kind: 'transfer', rate: 0.16, base: 2065, amount: 330.4 },
      { code: 'EXENTO', name: 'Exento de IVA', kind: 'exempt', rate: 0, base: 45, amount: 0 },
      { code: 'RET_ISR10', name: 'Retención de ISR 10 %', kind: 'withholding', rate: 0.1, base: 900, amount: 90 },
      { code: 'RET_IVA', name: 'Retención de IVA', kind: 'withholding', rate: 0.106667, base: 900, amount: 96 },
    ]);
    assert.deepEqual(deposit, { type: 'percent', value: 50, note: 'Al firmar', amount: 1136.2 });
    assert.deepEqual(
      items.map(({ counts, selected }: { counts: boolean; selected: boolean }) => [counts, selected]),
      [[true, false], [true, false], [true, false], [false, false], [false, false], [true, true]],
    ); // prettier-ignore
  });

  it('read back as strings with the members that were sent', async () => {
    const { id } = (await create(FULL)).body;

    const quote = await read(id);

    const { title, reference, terms, internalNotes, metadata, discountPct, shippingTaxes, deposit } = quote;
    assert.deepEqual(
      { title, reference, terms, internalNotes, metadata, shippingTaxes, discountPct, deposit },
      {
        title: FULL.title,
        reference: FULL.reference,
        terms: FULL.terms,
        internalNotes: FULL.internalNotes,
        metadata: FULL.metadata,
        shippingTaxes: ['IVA16'],
        discountPct: '10.00',
        deposit: { type: 'percent', value: '50.00', note: 'Al firmar', amount: '1136.20' },
      },
    );
    const [first] = quote.items;
    assert.deepEqual(
      [first.description, first.section, first.unit, first.quantity, first.taxes],
      ['Muro de tablaroca', 'Obra', 'm²', 12.5, ['IVA16']],
    );
  });

  it('may have a negative tax, which is a signed string', async () => {
    const { id } = (await create({ items: [line({ taxes: ['RET_ISR10'] })] })).body;

    const { tax, total } = await read(id);

    assert.deepEqual([tax, total], ['-10.00', '90.00']);
  });

  it('keep absent members and frozen taxes when they are revised, and the version keeps the former ones', async () => {
    const own = await build.business();
    const client = await build.client(own.owner);
    const quote = (await app.post('/api/quotes', { ...FULL, clientId: client.id }, own.owner)).body;
    const taxes = [{ code: 'IVA16', name: 'IVA nuevo', rate: 0.2, kind: 'transfer' }, { code: 'NUEVO', name: 'Nuevo', rate: 0.01, kind: 'transfer' }]; // prettier-ignore
    await app.request('PUT', '/api/settings', { headers: own.owner, body: { taxes } });

    const items = [line({ taxes: ['IVA16'] }), line({ taxes: ['NUEVO'] })];
    const revised = await app.post(`/api/quotes/${quote.id}/revise`, { clientId: client.id, items }, own.owner);

    assert.equal(revised.status, 200, JSON.stringify(revised.body));
    const { title, metadata, discountPct, terms } = revised.body;
    assert.deepEqual([title, metadata, discountPct, terms], ['Remodelación', { pedido: 'P-7' }, 10, 'Contra entrega']);
    assert.deepEqual(
      revised.body.taxes.map(({ code, rate }: { code: string; rate: number }) => [code, rate]),
      [['IVA16', 0.16], ['NUEVO', 0.01]],
    ); // prettier-ignore
    const [version] = (await app.get(`/api/quotes/${quote.id}/versions`, own.owner)).body;
    assert.deepEqual(
      [version.snapshot.discount, version.snapshot.items[0].unit, version.snapshot.taxes.length],
      ['232.00', 'm²', 4],
    );
  });

  it('are duplicated with current taxes, the frozen ones of deleted codes, and without internal notes', async () => {
    const own = await build.business();
    const client = await build.client(own.owner);
    const items = [line({ taxes: ['IVA16'] }), line({ taxes: ['IVA8'] })];
    const quote = (await app.post('/api/quotes', { ...FULL, items, clientId: client.id }, own.owner)).body;
    const taxes = [{ code: 'IVA16', name: 'IVA nuevo', rate: 0.2, kind: 'transfer' }];
    await app.request('PUT', '/api/settings', { headers: own.owner, body: { taxes } });

    const copy = (await app.post(`/api/quotes/${quote.id}/duplicate`, {}, own.owner)).body;

    assert.deepEqual([copy.title, copy.internalNotes, copy.metadata], ['Remodelación', null, { pedido: 'P-7' }]);
    assert.deepEqual(
      copy.taxes.map(({ code, rate }: { code: string; rate: number }) => [code, rate]),
      [['IVA16', 0.2], ['IVA8', 0.08]],
    ); // prettier-ignore
  });

  it('come from templates, with title, reference and metadata of their own', async () => {
    const { reference: _reference, metadata: _metadata, ...template } = FULL;
    const { id: templateId } = (
      await app.post('/api/templates', { name: 'Obra', ...template, notes: 'Nota' }, business.owner)
    ).body;

    const res = await app.post(
      '/api/connector/actions/create-from-template',
      { templateId, clientId, title: 'Otra', reference: 'OC-9', metadata: { a: 'b' } },
      business.owner,
    );

    assert.equal(res.status, 201, JSON.stringify(res.body));
    const { total, title, reference, metadata, terms, deposit } = res.body;
    assert.deepEqual(
      [total, title, reference, metadata, terms, deposit.amount],
      [2272.4, 'Otra', 'OC-9', { a: 'b' }, 'Contra entrega', 1136.2],
    );
  });

  it('show the client everything except internal notes and metadata', async () => {
    const sent = await build.sentQuote(business, FULL);

    const { body } = await app.get(sent.portal);

    assert.deepEqual([body.title, body.deposit.amount, body.taxes.length], ['Remodelación', '1136.20', 4]);
    assert.ok(!/Margen|P-7|internalNotes|metadata/.test(JSON.stringify(body)));
  });

  it('have all lines in events, and which of them count', async () => {
    const own = await build.business();
    const { id } = await build.quote(own.owner, FULL);

    const [event] = await eventsOf(own, id);

    const quote = event?.body.data.quote as { items: { counts: boolean }[]; metadata: object; reference: string };
    assert.deepEqual(
      quote.items.map(({ counts }) => counts),
      [true, true, true, false, false, true],
    );
    assert.deepEqual([quote.reference, quote.metadata], ['OC-1', { pedido: 'P-7' }]);
  });

  it('are found by reference and metadata, at most three of them together', async () => {
    const own = await build.business();
    await build.quote(own.owner, { reference: 'R-1', metadata: { a: '1', b: '2', c: '3' } });
    await build.quote(own.owner, { reference: 'R-2', metadata: { a: '1' } });
    const found = async (query: string) => {
      const res = await app.get(`/api/quotes?${query}`, own.owner);
      return res.status === 200 ? res.body.total : res.body.error;
    };

    assert.deepEqual(
      [await found('reference=R-1'), await found('metadata.a=1'), await found('metadata.a=1&metadata.b=2')],
      [1, 2, 1],
    );
    assert.deepEqual(
      [await found('reference=r-1'), await found('metadata.a=2'), await found('metadata.x=')],
      [0, 0, 2],
    );
    assert.equal(
      await found('reference=R-1&metadata.a=1&metadata.b=2&metadata.c=3'),
      'metadata: admite, con reference, como máximo 3 filtros',
    );
  });

  const line0 = (more: Record<string, unknown>) => ({ items: [line(more)] });
  const refusals: readonly [what: string, body: Record<string, unknown>, message: string][] = [
    ['an unknown tax', line0({ taxes: ['NO'] }), 'items.0.taxes.0: el impuesto «NO» no existe'],
    ['the reserved code', line0({ taxes: ['DEFAULT'] }), 'items.0.taxes.0: el impuesto «DEFAULT» no existe'],
    ['a tax twice', line0({ taxes: ['IVA16', 'IVA16'] }), 'items.0.taxes.1: está repetido'],
    ['six taxes', line0({ taxes: Array(6).fill('IVA16') }), 'items.0.taxes: debe tener como máximo 5 elementos'],
    ['an exempt tax beside another', line0({ taxes: ['EXENTO', 'IVA16'] }), 'items.0.taxes: un impuesto exento no puede llevar otros a su lado'],
    ['an unknown tax on shipping', { shippingTaxes: ['NO'] }, 'shippingTaxes.0: el impuesto «NO» no existe'],
    ['a decimal quantity without a unit', line0({ quantity: 0.5 }), 'items.0.quantity: debe ser un número entero'],
    ['a quantity of 5 decimals', line0({ quantity: 0.00001, unit: 'kg' }), 'items.0.quantity: debe tener como máximo 4 decimales'],
    ['a quantity of 0 with a unit', line0({ quantity: 0, unit: 'kg' }), 'items.0.quantity: debe ser mayor que 0'],
    ['a quantity above a million', line0({ quantity: 1_000_000.5, unit: 'kg' }), 'items.0.quantity: debe ser menor o igual que 1000000'],
    ['an optional alternative', line0({ optional: true, choice: 'A' }), 'items.0.choice: no puede enviarse junto con optional'],
    ['two selected alternatives', { items: [line({ choice: 'A', selected: true }), line({ choice: 'A', selected: true })] }, 'items.1.selected: la alternativa «A» ya tiene otra partida elegida'],
    ['no line that counts', line0({ optional: true }), 'items: al menos una partida debe contar'],
    ['a negative total', line0({ taxes: ['RET_ISR10', 'RET_IVA', 'TODO', 'MAS'] }), 'items: el total no puede ser negativo'],
    ['a discount above 100 %', { discountPct: 100.1 }, 'discountPct: debe ser menor o igual que 100'],
    ['a dearest selection that is too large', { items: [line(), line({ unitPrice: 999_999_999, quantity: 11, optional: true })] }, 'items: el total debe ser menor o igual que 9999999999.99'],
    ['a deposit above the total', { deposit: { type: 'amount', value: 116.01 } }, 'deposit.value: debe ser menor o igual que el total'],
    ['a deposit above 100 %', { deposit: { type: 'percent', value: 101 } }, 'deposit.value: debe ser menor o igual que 100'],
    ['a forbidden name in metadata', { metadata: { prototype: 'x' } }, 'metadata.prototype: no puede llamarse así'],
    ['a name with a space in metadata', { metadata: { 'a b': 'x' } }, 'metadata.a b: su nombre solo admite de 1 a 40 letras de la A a la Z, cifras y los signos _ . -'],
    ['metadata above 8 KiB', { metadata: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, 'x'.repeat(500)])) }, 'metadata: debe tener como máximo 8 KiB en total'],
    ['a number in metadata', { metadata: { a: 1 } }, 'metadata.a: debe ser texto'],
  ]; // prettier-ignore
  for (const [what, body, message] of refusals) {
    it(`refuse ${what} with 400 «${message}»`, async () => {
      const taxes = ['TODO', 'MAS'].map((code) => ({ code, name: code, rate: 1, kind: 'withholding' }));
      const { body: settings } = await app.get('/api/settings', business.owner);
      if (what === 'a negative total')
        await app.request('PUT', '/api/settings', {
          headers: business.owner,
          body: { taxes: [...settings.data.taxes, ...taxes] },
        });

      assert.deepEqual(await refusal(body), [400, message]);
    });
  }

  it('refuse __proto__ in metadata with 400 «JSON inválido»', async () => {
    const body = JSON.stringify({ clientId, items: [line()] }).replace(/}$/, ',"metadata":{"__proto__":"x"}}');

    const res = await app.post('/api/quotes', body, business.owner);

    assert.deepEqual([res.status, res.body.error], [400, 'JSON inválido']);
  });

  it('refuse a tax that was deleted from the table with 400 «el impuesto «IVA8» no existe»', async () => {
    const own = await build.business({ taxes: '[]' });
    const client = await build.client(own.owner);

    const res = await app.post('/api/quotes', { clientId: client.id, ...line0({ taxes: ['IVA8'] }) }, own.owner);

    assert.deepEqual([res.status, res.body.error], [400, 'items.0.taxes.0: el impuesto «IVA8» no existe']);
  });

  it('accept a quantity of 1000000 and one of 0.0001 with a unit', async () => {
    const items = [line({ quantity: 1_000_000, unit: 'kg' }), line({ quantity: 0.0001, unit: 'kg' })];

    const res = await create({ items });

    assert.deepEqual([res.status, res.body.subtotal], [201, 100_000_000.01]);
  });

  it('count the first of the alternatives when none is selected', async () => {
    const items = [line({ choice: 'A' }), line({ choice: 'A', unitPrice: 20 })];

    const res = await create({ items });

    assert.deepEqual(
      [res.status, res.body.subtotal, res.body.items.map(({ counts }: { counts: boolean }) => counts)],
      [201, 100, [true, false]],
    );
  });

  it('accept a document discount of 100 %', async () => {
    const res = await create({ discountPct: 100 });

    assert.deepEqual([res.status, res.body.total, res.body.discount], [201, 0, 100]);
  });

  it('clear texts, deposit and metadata with null or "" when they are revised', async () => {
    const { id } = (await create(FULL)).body;
    const cleared = { title: '', reference: null, terms: '', internalNotes: null, deposit: null, metadata: null };

    const res = await app.post(`/api/quotes/${id}/revise`, { clientId, items: [line()], ...cleared }, business.owner);

    const { title, reference, terms, internalNotes, deposit, metadata } = res.body;
    assert.deepEqual([title, reference, terms, internalNotes, deposit, metadata], [null, null, null, null, null, {}]);
    const found = await app.get('/api/quotes?metadata.pedido=P-7&search=inexistente', business.owner);
    assert.equal(found.body.total, 0);
  });
});
