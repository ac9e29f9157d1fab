import assert from 'node:assert/strict';
import { Template } from '../../db/models/template.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { errorAt, fieldsIn, filled, open, submit } from './browse.ts';
import { collaboratorOf } from './callers.ts';

const NEW = '/app/templates/new';
const LINE = { 'items.0.productName': 'Silla', 'items.0.unitPrice': '1,850.50', 'items.0.quantity': '2' };

describe('/app/templates', () => {
  const all = async ({ owner }: build.Business) => (await (await service()).get('/api/templates', owner)).body;

  async function made(business: build.Business, fields: Record<string, unknown> = {}): Promise<string> {
    const template = { name: 'Oficina', items: [build.ITEM], ...fields };
    return (await (await service()).post('/api/templates', template, business.owner)).body.id;
  }

  it('creates a template, once from two submissions', async () => {
    const business = await build.business();
    const { html } = await open(NEW, business.owner);
    const fields = filled(html, {
      name: 'Oficina',
      ...LINE,
      'items.0.optional': 'true',
      'items.0.selected': 'true',
      notes: 'Gracias',
    });

    const sent = [await submit(NEW, fields, { as: business.owner }), await submit(NEW, fields, { as: business.owner })];

    assert.deepEqual(
      sent.map(({ status }) => status),
      [303, 303],
    );
    const [template, ...others] = await all(business);
    assert.equal(others.length, 0);
    const [{ productName, unitPrice, quantity, optional, taxes }] = template.items;
    assert.deepEqual(
      { productName, unitPrice, quantity, optional, taxes, notes: template.notes },
      { productName: 'Silla', unitPrice: 1850.5, quantity: 2, optional: true, taxes: null, notes: 'Gracias' },
    );
  });

  it('answers 400 with the messages beside the fields of the line, and keeps the input', async () => {
    const business = await build.business();
    const { html } = await open(NEW, business.owner);

    const values = { name: '', ...LINE, 'items.0.quantity': 'dos', 'items.0.productName': '<b>"x"</b>' };
    const { status, html: refused } = await submit(NEW, filled(html, values), { as: business.owner });
    const empty = await submit(NEW, filled(html, { name: 'Nada' }), { as: business.owner });

    assert.equal(status, 400);
    assert.ok(errorAt(refused, 'name') && errorAt(refused, 'items.0.quantity'));
    assert.ok(refused.includes('&lt;b&gt;&quot;x&quot;&lt;/b&gt;') && !refused.includes('<b>"x"'));
    assert.deepEqual([empty.status, Boolean(errorAt(empty.html, 'items'))], [400, true]);
  });

  it('adds, removes and takes lines from the catalogue without saving, and keeps what was typed', async () => {
    const business = await build.business();
    const { id } = await build.product(business, { name: 'Escritorio', unitPrice: '99.5', taxes: 'IVA16' });
    const { html } = await open(NEW, business.owner);
    const press = (page: string, values: Readonly<Record<string, string>>) =>
      submit(NEW, filled(page, values), { as: business.owner });

    const added = await press(html, { name: 'Oficina', ...LINE, do: 'add' });
    const found = await press(added.html, { do: 'find', catalogueSearch: 'escri' });
    const picked = await press(found.html, { do: `pick.${id}` });
    const removed = await press(picked.html, { do: 'remove.0' });

    assert.match(found.html, new RegExp(`value="pick\\.${id}"`));
    const names = (page: string) =>
      fieldsIn(page, NEW).filter(([name]) => name.endsWith('.productName')).map(([, value]) => value); // prettier-ignore
    assert.deepEqual(names(added.html), ['Silla', '']);
    assert.deepEqual(names(picked.html), ['Silla', 'Escritorio']);
    assert.deepEqual(names(removed.html), ['Escritorio']);
    const kept = new Map(fieldsIn(removed.html, NEW));
    assert.deepEqual([kept.get('name'), kept.get('items.0.taxes')], ['Oficina', 'IVA16']);
    assert.deepEqual(await all(business), []);
  });

  it('changes a template: unshown members stay, cleared ones are empty', async () => {
    const business = await build.business();
    const item = { ...build.ITEM, taxes: [], section: 'Muebles', discountPct: 10 };
    const id = await made(business, {
      items: [item],
      notes: 'vieja',
      shippingCost: 150,
      shippingTaxes: ['IVA16'],
      deposit: { type: 'percent', value: 50 },
    });
    const path = `/app/templates/${id}`;
    const { html } = await open(path, business.owner);

    const values = { notes: '', shippingCost: '', 'deposit.type': '', 'deposit.value': '', 'items.0.unitPrice': '7' };
    const { status } = await submit(path, filled(html, values), { as: business.owner });

    assert.equal(status, 303);
    const [{ notes, shippingCost, shippingTaxes, deposit, items, name }] = await all(business);
    assert.deepEqual(
      { notes, shippingCost, shippingTaxes, deposit, name },
      { notes: null, shippingCost: 0, shippingTaxes: ['IVA16'], deposit: null, name: 'Oficina' },
    );
    assert.deepEqual(
      [items[0].unitPrice, items[0].taxes, items[0].section, items[0].discountPct],
      [7, [], 'Muebles', 10],
    );
  });

  it('deletes a template after a question; its page is 404 then', async () => {
    const business = await build.business();
    const path = `/app/templates/${await made(business)}`;
    const { html } = await open(path, business.owner);

    const { status } = await submit(`${path}/delete`, fieldsIn(html, `${path}/delete`), { as: business.owner });
    const after = await open(path, business.owner);
    const list = await open('/app/templates', business.owner);

    assert.match(html, /no se puede recuperar/);
    assert.deepEqual([status, after.status], [303, 404]);
    assert.match(list.html, /Todavía no hay plantillas/);
  });

  it('a collaborator uses templates and cannot change them; on FREE they are readable and PRO is explained', async () => {
    const business = await build.business();
    const id = await made(business);
    const free = await build.business({ plan: 'FREE' });
    const { deps } = await service();
    await deps.withTenant(free.tenantId, (trx) =>
      Template.query(trx).insert({
        id: `${id}f`,
        tenantId: free.tenantId,
        userId: free.userId,
        name: 'Vieja',
        items: JSON.stringify([build.ITEM]),
        shippingCost: '0',
        currency: 'MXN',
      }),
    );

    const used = await open('/app/templates', await collaboratorOf(business));
    const locked = await open('/app/templates', free.owner);
    const create = await open(NEW, free.owner);

    assert.match(used.html, new RegExp(`href="/app/quotes/new\\?template=${id}"`));
    assert.ok(!used.html.includes(`"/app/templates/${id}"`));
    assert.match(locked.html, /Disponible en el plan PRO/);
    assert.ok(locked.html.includes('Vieja') && !locked.html.includes('quotes/new?template'));
    assert.equal(create.status, 403);
  });
});
