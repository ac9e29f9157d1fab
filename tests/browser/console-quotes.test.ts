import assert from 'node:assert/strict';
import type { Credential } from '../api/service.ts';
import { installation } from '../journey/installation.ts';
import { allFlaws, keepAll, openAs, PHONE } from './browser.ts';
import { business, draft, revise, type Shown, shown } from './world.ts';

const RICH = {
  title: 'Amueblado de recepción',
  reference: 'OC-2041',
  terms: '50 % de anticipo.\nEntrega en obra.',
  internalNotes: 'Margen del 30 %.',
  discountPct: 5,
  deposit: { type: 'percent', value: 50, note: 'Al firmar' },
  items: [
    { productName: 'Silla ejecutiva', model: 'SE-200', quantity: 8, unitPrice: 1850.5, section: 'Mobiliario' },
    { productName: 'Escritorio en L de encino', quantity: 4, unitPrice: 7420, discountPct: 10, section: 'Mobiliario' },
    { productName: 'Barniz mate', quantity: 12.5, unit: 'm²', unitPrice: 120, choice: 'Acabado', section: 'Servicios' },
    {
      productName: 'Barniz brillante',
      quantity: 12.5,
      unit: 'm²',
      unitPrice: 150,
      choice: 'Acabado',
      section: 'Servicios',
    },
    { productName: 'Instalación', description: 'En obra, dos días', quantity: 1, unitPrice: 2500, optional: true },
  ],
};

describe('Pages of quotes in the console', () => {
  let quote: Shown;
  let owner: Credential;

  before(async function () {
    this.timeout(60_000);
    const { http } = await installation();
    const made = await business();
    ({ owner } = made);
    await draft(made);
    quote = await shown(made, { ...RICH, client: { phone: '+52 55 5123 4567' } });
    await revise(quote);
    const label = await http.post('/api/labels', { name: 'Urgente', color: '#b91c1c' }, owner);
    await http.post(`/api/quotes/${quote.id}/labels/${label.body.id}`, undefined, owner);
    const token = quote.url.split('/').at(-1) ?? '';
    const wish = { message: '¿Puede incluir la instalación?', version: 2, name: 'Laura' };
    const asked = await http.post(`/api/portal/${token}/request-changes`, wish);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
  });

  const paths = (): readonly string[] => [
    '/app/quotes',
    '/app/quotes?minTotal=nada&sort=total',
    `/app/quotes/${quote.id}`,
    `/app/quotes/${quote.id}/messages`,
    `/app/quotes/${quote.id}/history`,
    `/app/quotes/${quote.id}/versions`,
    `/app/quotes/${quote.id}/versions/1`,
    `/app/quotes/${quote.id}/share`,
    `/app/quotes/${quote.id}/link`,
    `/app/quotes/${quote.id}/runs`,
  ];

  it('every page is accessible at 390 and 1280 px, light and dark, without errors of the policy', async function () {
    this.timeout(120_000);
    await using shownPage = await openAs(owner, '/app/quotes');
    const { page, complaints, foreign } = shownPage;
    const found: string[] = [];
    for (const path of paths()) {
      await page.goto(new URL(path, page.url()).href);
      await keepAll(page, path.replace(quote.id, 'one').replaceAll(/[^a-z0-9]+/gi, '-'));
      found.push(...(await allFlaws(page)).map((line) => `${path} ${line}`));
    }

    assert.deepEqual([...found, ...complaints, ...foreign], []);
  });

  it('the filters change the results and the address while they are filled in', async () => {
    await using shownPage = await openAs(owner, '/app/quotes');
    const { page } = shownPage;

    await page.getByRole('searchbox').fill('recepción que no existe');
    await page.getByRole('heading', { name: 'Ninguna cotización coincide' }).waitFor();
    await page.waitForURL(/[?&]search=/);
    await page.getByRole('searchbox').fill('COT-2');
    await page.getByRole('link', { name: 'COT-2', exact: true }).waitFor();

    await page.getByRole('link', { name: 'Más filtros y orden' }).click();
    await page.getByLabel('Total desde').waitFor();
    await page.getByLabel('Total desde').fill('nada');
    await page.getByLabel('Total hasta').fill('9');
    await page.getByRole('link', { name: 'Total desde: debe ser un número' }).waitFor();
    await page.getByLabel('Total desde').fill('');
    await page.getByLabel('Total hasta').fill('');
    await page.getByLabel('Referencia').fill('OC-2041');
    await page.getByLabel('Referencia').press('Enter');
    await page.getByRole('link', { name: 'COT-2', exact: true }).waitFor();

    // htmx reports the requests that a later one replaced.
    assert.deepEqual(
      shownPage.complaints.filter((line) => !/^htmx:(sendAbort|afterRequest)/.test(line)),
      [],
    );
  });

  it('without JavaScript: find a quote, preview its mail, mark it as won', async () => {
    await using shownPage = await openAs(owner, '/app/quotes', { javaScriptEnabled: false, viewport: PHONE });
    const { page } = shownPage;

    await page.getByRole('searchbox').fill('COT-2');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByRole('link', { name: 'COT-2', exact: true }).click();
    await page.getByRole('link', { name: 'Enviar otra vez' }).click();
    await page.getByLabel('Mensaje').fill('Con el descuento acordado.');
    await page.getByRole('button', { name: 'Ver el correo' }).click();
    const preview = await page.getByRole('region', { name: 'Así se verá el correo' }).innerText();
    await page.getByRole('link', { name: 'COT-2', exact: true }).click();
    await page.getByRole('button', { name: 'Marcar como ganada' }).click();
    const notice = await page.getByRole('status').innerText();

    assert.match(preview, /Con el descuento acordado\./);
    assert.match(preview, /Para\s+Laura Méndez <.+@cliente\.test>/);
    assert.equal(notice, 'El estado cambió.');
    assert.equal(await page.getByText('Usted la cerró como ganada.').count(), 1);
  });
});
