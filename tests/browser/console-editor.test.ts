import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Business, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, flaws, keep, openAs, type Opening, overflow, PHONE, type Watched } from './browser.ts';

const NEW = '/app/quotes/new';

describe('The form of a quote in the browser', () => {
  let service: Installation;
  let business: Business;
  before(async () => {
    service = await installation();
    business = await register(service);
    for (const [name, unitPrice, modelSku] of [
      ['Silla ejecutiva', 1850.5, 'SE-200'],
      ['Silla de visita', 990, 'SV-10'],
      ['Escritorio de encino', 7490, 'EN-160'],
    ] as const)
      // prettier-ignore
      await service.http.post('/api/products', { name, unitPrice, modelSku }, business.owner);
    for (const companyName of ['Hotel La Palma', 'Constructora Brisas', 'Ferretería El Yunque'])
      await service.http.post('/api/clients', { contactName: 'Laura Méndez', companyName, email: 'ventas@cliente.test' }, business.owner); // prettier-ignore
  });

  const visit = (path: string, options: Opening = {}) => openAs(business.owner, path, options);

  const fine = ({ complaints, foreign }: Watched): void => {
    assert.deepEqual([...complaints, ...foreign], []);
  };
  const newest = async () => (await service.http.get('/api/quotes?limit=1', business.owner)).body.data[0];
  const total = (page: Page) => page.locator('.sum-total dd');
  const field = (page: Page, name: string) => page.locator(`[id="${name}"]`);

  it('is filled in and sent by keyboard alone: client, three lines from the catalogue, totals while typing', async () => {
    await using seen = await visit(NEW, { viewport: DESK });
    const { page } = seen;
    const { keyboard } = page;
    const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.value');

    await keyboard.type('palma');
    await page.locator('#clientes .pick', { hasText: 'Hotel La Palma' }).waitFor();
    await page.locator('#clientes .pick').nth(1).waitFor({ state: 'detached' });
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.locator('button[value=client-change]:focus').waitFor();
    await keyboard.press('Tab');
    assert.equal(await focused(), 'items.0.productName');
    await keyboard.type('ejecutiva');
    await page.locator('#hallazgos-0 .pick').first().waitFor();
    await keyboard.press('ArrowDown');
    assert.match(await focused(), /^pick\.0\./);
    await keyboard.press('Enter');
    await page.locator('[id="items.0.quantity"]:focus').waitFor();
    await keyboard.press('Control+A');
    await keyboard.type('4');
    await total(page).filter({ hasText: '$8,586.32 MXN' }).waitFor();
    await keyboard.press('Enter');
    assert.equal(await focused(), 'items.1.productName');
    await keyboard.type('Flete');
    await field(page, 'items.1.unitPrice').focus();
    await keyboard.type('380');
    await keyboard.press('Enter');
    await keyboard.type('Montaje');
    await keyboard.press('Enter');
    await page.locator('[id="items.3.productName"]:focus').waitFor();
    await field(page, 'items.2.unitPrice').focus();
    await keyboard.type('1000');
    await total(page).filter({ hasText: '$10,187.12 MXN' }).waitFor();
    await keep(page, 'filled-1280');
    assert.deepEqual(await flaws(page), []);
    await page.getByRole('button', { name: 'Crear la cotización' }).focus();
    await keyboard.press('Enter');

    await page.waitForURL(/\/app\/quotes\/\w+\?notice=quote_created/);
    const { client, total: stored, _count } = await newest();
    assert.deepEqual([client.companyName, stored, _count.items], ['Hotel La Palma', '10187.12', 3]);
    fine(seen);
  });

  it('works without JavaScript on a phone: search, choose, add, calculate, a refusal with the focus on the summary', async () => {
    await using seen = await visit(NEW, { viewport: PHONE, javaScriptEnabled: false });
    const { page } = seen;
    await keep(page, 'empty-390-nojs');

    await page.getByRole('button', { name: 'Crear la cotización' }).click();
    await page.locator('.summary').waitFor();
    await keep(page, 'refused-390-nojs');
    await field(page, 'clientSearch').fill('brisas');
    await page.getByRole('button', { name: 'Buscar', exact: true }).click();
    await page.getByRole('button', { name: /Constructora Brisas/ }).click();
    await field(page, 'items.0.productName').fill('visita');
    await page.getByRole('button', { name: 'Buscar en el catálogo para la partida 1' }).click();
    await keep(page, 'catalogue-390-nojs');
    await page.getByRole('button', { name: /Silla de visita/ }).click();
    await page.getByRole('button', { name: 'Agregar partida' }).click();
    await page.getByRole('button', { name: 'Calcular' }).last().click();
    assert.equal(await total(page).textContent(), '$1,148.40 MXN');
    await page.getByRole('button', { name: 'Crear la cotización' }).click();

    await page.waitForURL(/\?notice=quote_created/);
    assert.equal((await newest()).total, '1148.40');
    fine(seen);
  });

  it('has no flaws empty, with everything unfolded, refused and as a revision, in both widths and modes', async () => {
    const { body: client } = await service.http.post('/api/clients', { contactName: 'Ana Torres' }, business.owner);
    const items = [
      { productName: 'Silla ejecutiva', model: 'SE-200', unitPrice: 1850.5, quantity: 8, discountPct: 10, section: 'Mobiliario' },
      { productName: 'Alfombra', unit: 'm²', unitPrice: 420, quantity: 32.5, section: 'Pisos', taxes: ['IVA16'] },
      { productName: 'Lámpara de pie', unitPrice: 980, quantity: 2, section: 'Pisos', optional: true },
    ]; // prettier-ignore
    const deposit = { type: 'percent', value: 50 };
    const made = await service.http.post('/api/quotes', { clientId: client.id, items, discountPct: 5, shippingCost: 450, deposit, title: 'Remodelación' }, business.owner); // prettier-ignore

    await using seen = await visit(NEW, { viewport: DESK });
    const { page } = seen;
    await keep(page, 'empty-1280');
    assert.deepEqual(await flaws(page), []);
    await page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true");
    await page.setViewportSize(PHONE);
    await keep(page, 'unfolded-390');
    assert.deepEqual(await flaws(page), []);
    await page.getByRole('button', { name: 'Crear la cotización' }).click();
    await page.locator('.summary').waitFor();
    assert.equal(await page.evaluate('document.activeElement.className'), 'summary');
    await page.emulateMedia({ colorScheme: 'dark' });
    await keep(page, 'refused-390-dark');
    assert.deepEqual(await flaws(page), []);
    await page.goto(`${service.http.url}/app/quotes/${made.body.id}/revise`);
    await page.setViewportSize(DESK);
    await keep(page, 'revise-1280-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(PHONE);
    await keep(page, 'revise-390');
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await flaws(page), []);
    fine(seen);
  });
});
