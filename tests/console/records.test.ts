import assert from 'node:assert/strict';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { errorAt, fieldsIn, filled, open, submit, titleOf } from './browse.ts';
import { collaboratorOf } from './callers.ts';

const MARKUP = '<b>"x"</b>';
const ESCAPED = '&lt;b&gt;&quot;x&quot;&lt;/b&gt;';

const linkIn = (html: string, text: string): string | undefined =>
  new RegExp(`href="([^"]+)"[^>]*>\\s*${text}`).exec(html)?.[1]?.replaceAll('&amp;', '&');

describe('/app/clients', () => {
  const clientOf = async (id: string, as: build.Business) =>
    (await (await service()).get(`/api/clients/${id}`, as.owner)).body;

  it('lists clients by search and state, with pages, and escapes their names', async () => {
    const { owner } = await build.business();
    for (let made = 0; made < 21; made += 1) await build.client(owner, { companyName: `Hotel Encino ${made}` });
    const { id } = await build.client(owner, { companyName: MARKUP });

    const all = await open('/app/clients', owner);
    const next = await open(linkIn(all.html, 'Página siguiente') ?? '', owner);
    const found = await open('/app/clients?search=encino+7', owner);
    const none = await open('/app/clients?search=zzz', owner);
    const inactive = await open('/app/clients?active=false', owner);

    assert.match(all.html, new RegExp(`<a href="/app/clients/${id}"\\s*><bdi>${ESCAPED}</bdi>`));
    assert.ok(!all.html.includes(MARKUP));
    assert.match(all.html, /22 clientes/);
    assert.match(next.html, /Hotel Encino 0</);
    assert.ok(found.html.includes('Hotel Encino 7<') && !found.html.includes('Hotel Encino 8<'));
    assert.match(none.html, /Ningún cliente coincide/);
    assert.match(inactive.html, /No hay clientes desactivados/);
  });

  it('shows data, people and quotes of a client, and leads to a new quote for it', async () => {
    const { owner } = await build.business();
    const { id } = await build.client(owner, {
      contactName: MARKUP,
      companyName: null,
      notes: 'Paga a 30 días',
      contacts: [{ name: 'Luis Rivas', role: 'Compras' }],
    });
    await build.quote(owner, { clientId: id });

    const { html } = await open(`/app/clients/${id}`, owner);

    for (const text of ['Paga a 30 días', 'Luis Rivas', 'Compras', 'COT-1', '$232.00 MXN', ESCAPED])
      assert.ok(html.includes(text), text);
    assert.ok(!html.includes(MARKUP));
    assert.equal(linkIn(html, 'Nueva cotización'), `/app/quotes/new?client=${id}`);
  });

  it('changes a client, keeps the country of the business, and empties what was cleared', async () => {
    const business = await build.business();
    const { id } = await build.client(business.owner, { notes: 'vieja', contacts: [{ name: 'Luis' }] });
    const path = `/app/clients/${id}/edit`;
    const { html } = await open(path, business.owner);

    const values = { contactName: 'Ana Torres', notes: '', 'contacts.0.name': '', 'contacts.1.name': 'Eva' };
    const { status, headers } = await submit(path, filled(html, values), { as: business.owner });
    await build.patchTenant(business, { country: 'CO' });

    assert.deepEqual([status, headers.get('Location')], [303, `/app/clients/${id}?notice=client_saved`]);
    const { contactName, companyName, notes, contacts, country } = await clientOf(id, business);
    assert.deepEqual(
      { contactName, companyName, notes, contacts, country },
      {
        contactName: 'Ana Torres',
        companyName: 'La Palma',
        notes: null,
        contacts: [{ name: 'Eva', email: null, phone: null, role: null }],
        country: 'CO',
      },
    );
  });

  it('answers 400 with the messages beside the fields of a change', async () => {
    const { owner } = await build.business();
    const { id } = await build.client(owner);
    const path = `/app/clients/${id}/edit`;
    const { html } = await open(path, owner);

    const values = { contactName: '', 'contacts.0.name': 'Eva', 'contacts.0.email': 'no es correo' };
    const refused = await submit(path, filled(html, values), { as: owner });

    assert.equal(refused.status, 400);
    assert.equal(errorAt(refused.html, 'contactName'), 'No puede estar vacío');
    assert.equal(errorAt(refused.html, 'contacts.0.email'), 'Debe ser un correo electrónico válido');
  });

  it('answers 412 to a change of an outdated client, keeps the input, and saves it when sent again', async () => {
    const business = await build.business();
    const { id } = await build.client(business.owner);
    const path = `/app/clients/${id}/edit`;
    const { html } = await open(path, business.owner);
    await (await service()).patch(`/api/clients/${id}`, { phone: '55 1111 2222' }, business.owner);

    const refused = await submit(path, filled(html, { contactName: 'Eva' }), { as: business.owner });
    const again = await submit(path, fieldsIn(refused.html, path), { as: business.owner });

    assert.equal(refused.status, 412);
    assert.match(refused.html, /Alguien cambió estos datos/);
    assert.equal(again.status, 303);
    assert.equal((await clientOf(id, business)).contactName, 'Eva');
  });

  it('warns of a tax id that looks wrong after saving it', async () => {
    const { owner } = await build.business();
    const { html } = await open('/app/clients/new', owner);

    const fields = filled(html, { contactName: 'Ana', taxId: 'NOESRFC' });
    const { headers } = await submit('/app/clients/new', fields, { as: owner });

    assert.match(headers.get('Location') ?? '', /notice=client_saved_tax_id$/);
  });

  it('deactivates a client after a question, and activates it again', async () => {
    const business = await build.business();
    const { id } = await build.client(business.owner);
    const path = `/app/clients/${id}`;
    const before = await open(path, business.owner);

    const deleted = await submit(`${path}/delete`, fieldsIn(before.html, `${path}/delete`), { as: business.owner });
    const inactive = await open(path, business.owner);
    const listed = await open('/app/clients?active=false', business.owner);
    const active = await submit(`${path}/activate`, fieldsIn(inactive.html, `${path}/activate`), {
      as: business.owner,
    });

    assert.match(before.html, /Puede reactivarlo cuando quiera/);
    assert.equal(deleted.status, 303);
    assert.match(inactive.html, /Cliente desactivado/);
    assert.equal(linkIn(inactive.html, 'Nueva cotización'), undefined);
    assert.ok(listed.html.includes(path));
    assert.equal(active.status, 303);
    assert.equal((await clientOf(id, business)).isActive, true);
  });

  it('shows a collaborator the client and the own quotes only, without the buttons of an owner', async () => {
    const business = await build.business();
    const { id } = await build.client(business.owner);
    await build.quote(business.owner, { clientId: id });

    const { html } = await open(`/app/clients/${id}`, await collaboratorOf(business));

    assert.ok(!html.includes('COT-1') && !html.includes('Editar') && !html.includes('Desactivar'));
    assert.ok(html.includes('Nueva cotización'));
  });
});

describe('/app/products', () => {
  const productOf = async (id: string, as: build.Business) =>
    (await (await service()).get(`/api/products/${id}`, as.owner)).body;
  const NEW = '/app/products/new';

  async function create(business: build.Business, values: Readonly<Record<string, string>>) {
    const { html } = await open(NEW, business.owner);
    return submit(NEW, filled(html, values), { as: business.owner });
  }
  const idIn = (headers: Headers): string => /products\/([^?]+)/.exec(headers.get('Location') ?? '')?.[1] ?? '';

  it('creates a product with its own taxes, and one with those of the business', async () => {
    const business = await build.business();

    const own = await create(business, { name: 'Silla', unitPrice: '1,250.50', taxMode: 'own', taxes: 'IVA16' });
    const none = await create(business, { name: 'Libro', unitPrice: '90', taxMode: 'own' });
    const plain = await create(business, { name: 'Mesa', unitPrice: '10', taxMode: 'default', taxes: 'IVA16' });

    const [first, second, third] = await Promise.all(
      [own, none, plain].map(({ headers }) => productOf(idIn(headers), business)),
    );
    assert.deepEqual([first.unitPrice, first.taxes], ['1250.50', ['IVA16']]);
    assert.deepEqual([second.taxes, third.taxes], [[], null]);
  });

  it('answers 400 with the messages beside the fields, also to an unknown tax', async () => {
    const business = await build.business();

    const shape = await create(business, { name: '', unitPrice: 'diez' });
    const tax = await create(business, { name: 'Silla', unitPrice: '1', taxMode: 'own', taxes: 'NADA' });

    assert.deepEqual([shape.status, errorAt(shape.html, 'name')], [400, 'Es obligatorio']);
    assert.ok(errorAt(shape.html, 'unitPrice'));
    assert.equal(tax.status, 400);
    assert.ok(errorAt(tax.html, 'taxes'));
  });

  it('creates one product from two submissions of the same form', async () => {
    const business = await build.business();
    const { html } = await open(NEW, business.owner);
    const fields = filled(html, { name: 'Silla', unitPrice: '5' });

    const sent = [await submit(NEW, fields, { as: business.owner }), await submit(NEW, fields, { as: business.owner })];

    assert.deepEqual(
      sent.map(({ status }) => status),
      [303, 303],
    );
    assert.match((await open('/app/products', business.owner)).html, /1 producto</);
  });

  it('changes, deactivates and activates a product', async () => {
    const business = await build.business();
    const { id } = await build.product(business, { name: MARKUP, description: 'vieja' });
    const path = `/app/products/${id}`;
    const { html } = await open(path, business.owner);

    const saved = await submit(path, filled(html, { unitPrice: '99.5', description: '' }, path), {
      as: business.owner,
    });
    const stored = await productOf(id, business);
    const again = await open(path, business.owner);
    await submit(`${path}/delete`, fieldsIn(again.html, `${path}/delete`), { as: business.owner });
    const inactive = await open(path, business.owner);
    const list = await open('/app/products', business.owner);
    await submit(`${path}/activate`, fieldsIn(inactive.html, `${path}/activate`), { as: business.owner });

    assert.ok(html.includes(ESCAPED) && !html.includes(MARKUP));
    assert.equal(saved.status, 303);
    assert.deepEqual([stored.unitPrice, stored.description, stored.currency], ['99.50', null, 'MXN']);
    assert.match(inactive.html, /Producto desactivado/);
    assert.match(list.html, /Todavía no hay productos/);
    assert.equal((await productOf(id, business)).isActive, true);
  });

  it('answers 412 to the button of an outdated page, and shows what is stored', async () => {
    const business = await build.business();
    const { id } = await build.product(business);
    const path = `/app/products/${id}`;
    const { html } = await open(path, business.owner);
    await (await service()).patch(`/api/products/${id}`, { unitPrice: 7 }, business.owner);

    const refused = await submit(`${path}/delete`, fieldsIn(html, `${path}/delete`), { as: business.owner });

    assert.equal(refused.status, 412);
    assert.match(refused.html, /Alguien cambió estos datos/);
    assert.equal((await productOf(id, business)).isActive, true);
  });

  it('refuses another currency on FREE beside its field, and shows a collaborator the facts without a form', async () => {
    const free = await build.business({ plan: 'FREE' });
    const business = await build.business();
    const { id } = await build.product(business);

    const refused = await create(free, { name: 'Silla', unitPrice: '5', currency: 'USD' });
    const facts = await open(`/app/products/${id}`, await collaboratorOf(business));

    assert.equal(refused.status, 403);
    assert.match(refused.html, /Función disponible en el plan Pro/);
    assert.equal(titleOf(facts.html), 'Escritorio');
    assert.ok(facts.html.includes('$100.00 MXN') && !facts.html.includes('name="unitPrice"'));
  });
});
