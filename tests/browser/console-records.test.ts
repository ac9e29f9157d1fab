import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { csv } from '../api/spreadsheet-files.ts';
import { type Business, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { flaws, keepAll, openAs, PHONE, type Watched } from './browser.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const say = (page: Page, text: string) => page.getByText(text).first().waitFor();

describe('Console: clients, products, imports, templates, start page', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  const fine = ({ complaints, foreign }: Watched): void => assert.deepEqual([complaints, foreign], [[], []]);

  async function filled(): Promise<{ business: Business; client: string; product: string; template: string }> {
    const business = await register(service);
    const { owner } = business;
    const post = async (path: string, body: object): Promise<string> => {
      const res = await service.http.post(path, body, owner);
      assert.equal(res.status, 201, JSON.stringify(res.body));
      return res.body.id;
    };
    await post('/api/clients', { contactName: 'Beto Núñez', phone: '+52 33 1234 5678' });
    const client = await post('/api/clients', {
      contactName: 'Laura Méndez',
      companyName: 'Hotel La Palma',
      email: 'laura@lapalma.test',
      phone: '+52 55 1234 5678',
      taxId: 'XAXX010101000',
      address: 'Av. Juárez 12\nCentro, Puebla',
      notes: 'Paga a 30 días; pedir orden de compra.',
      contacts: [{ name: 'Luis Rivas', role: 'Compras', email: 'luis@lapalma.test' }],
    });
    const product = await post('/api/products', {
      name: 'Silla ejecutiva',
      modelSku: 'SE-200',
      description: 'Respaldo de malla, altura ajustable',
      unitPrice: 1850.5,
    });
    await post('/api/products', { name: 'Instalación', unitPrice: 380, unit: 'hora' });
    const items = [
      { productName: 'Silla ejecutiva', unitPrice: 1850.5, quantity: 4, discountPct: 10, section: 'Mobiliario' },
      { productName: 'Instalación', unitPrice: 380, quantity: 3, unit: 'hora', optional: true },
    ];
    const template = await post('/api/templates', { name: 'Oficina básica', description: 'Un puesto', items });
    await post('/api/quotes', { clientId: client, items, title: 'Remodelación de oficinas' });
    return { business, client, product, template };
  }

  it('a client and a template are created, and clients imported from a file', async () => {
    const business = await register(service);

    await using seen = await openAs(business.owner, '/app', { viewport: PHONE });
    const { page } = seen;
    await keepAll(page, 'start-empty');
    await page.goto(`${service.http.url}/app/clients`);
    await page.getByRole('link', { name: 'Registrar un cliente' }).click();
    await page.getByLabel('Nombre del contacto').fill('Laura Méndez');
    await page.keyboard.press('Enter');
    await say(page, 'El cliente se creó');
    await page.goto(`${service.http.url}/app/imports/clients`);
    const buffer = Buffer.from(csv([['contacto', 'correo'], ['Ana', 'ana@x.test'], ['Eva', 'no']])); // prettier-ignore
    await page.getByLabel('Archivo').setInputFiles({ name: 'c.csv', mimeType: 'text/csv', buffer });
    await press(page, 'Revisar sin guardar');
    await say(page, 'No se guardó nada');
    await keepAll(page, 'import-failed');
    await page.goto(`${service.http.url}/app/templates/new`);
    await page.getByLabel('Nombre de la plantilla').fill('Oficina');
    await page.getByLabel('Producto o servicio').fill('Silla');
    await page.getByLabel('Precio unitario').fill('100');
    await press(page, 'Agregar otra partida');
    await page.getByLabel('Producto o servicio').nth(1).fill('Mesa');
    await page.getByLabel('Precio unitario').nth(1).fill('200');
    await page.keyboard.press('Enter');
    await say(page, 'La plantilla se creó');

    await say(page, '2 partidas');
    fine(seen);
  });

  it('typing in the search of the clients filters the list without a page load', async () => {
    const { business } = await filled();

    await using seen = await openAs(business.owner, '/app/clients', { viewport: PHONE });
    const { page } = seen;
    await page.evaluate('window.isSamePage = true');
    await page.getByRole('searchbox').fill('palma');
    await page.getByText('1 cliente', { exact: true }).waitFor();
    await page.waitForURL(/search=palma/);

    assert.equal(await page.evaluate('window.isSamePage'), true);
    fine(seen);
  });

  it('the pages have no flaws at 390 and 1280 px, light and dark: filled, empty, refused', async () => {
    const { business, client, product, template } = await filled();
    const empty = await register(service);
    const found: string[] = [];
    const check = async (page: Page, state: string) => {
      found.push(...(await flaws(page)).map((line) => `${state}: ${line}`));
      await keepAll(page, state.replaceAll(/[/?=]+/g, '-').slice(1));
    };

    await using seen = await openAs(business.owner, '/app', { viewport: PHONE });
    for (const [path, name] of [
      ['/app', '/start'],
      ['/app/clients', '/clients'],
      [`/app/clients/${client}`, '/client'],
      [`/app/clients/${client}/edit`, '/client-edit'],
      ['/app/products', '/products'],
      [`/app/products/${product}`, '/product'],
      ['/app/templates', '/templates'],
      [`/app/templates/${template}`, '/template'],
      ['/app/imports', '/imports'],
      ['/app/imports/products', '/import-products'],
    ] as const) {
      await seen.page.goto(service.http.url + path);
      await check(seen.page, name);
    }
    await press(seen.page, 'Importar');
    await say(seen.page, 'Revise estos datos');
    await check(seen.page, '/import-refused');
    await seen.page.goto(`${service.http.url}/app/templates/new`);
    await press(seen.page, 'Buscar en el catálogo');
    await say(seen.page, 'SE-200');
    await press(seen.page, 'Crear la plantilla');
    await say(seen.page, 'Revise estos datos');
    await check(seen.page, '/template-refused');
    await using none = await openAs(empty.owner, '/app/clients', { viewport: PHONE });
    await check(none.page, '/clients-empty');
    await none.page.goto(`${service.http.url}/app/templates`);
    await check(none.page, '/templates-empty');

    assert.deepEqual(found, []);
    fine(seen);
    fine(none);
  });
});
