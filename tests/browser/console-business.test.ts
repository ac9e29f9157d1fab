import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { png } from '../adapters/image-files.ts';
import { makeQuote, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, flaws, keepAll, openAs } from './browser.ts';

describe('Pages of settings, pipeline and dashboard', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).click();

  const checked = async (page: Page, name: string) => {
    await keepAll(page, name);
    assert.deepEqual(await flaws(page), [], name);
    await page.setViewportSize(DESK);
  };

  it('changes every part of the settings', async () => {
    const business = await register(service);
    await using seen = await openAs(business.owner, '/app/settings');
    const { page } = seen;
    const tab = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
    await page.getByLabel('RFC').fill('NO ES RFC');
    await press(page, 'Guardar');
    await page.getByText('Los ajustes se guardaron.').waitFor();
    await checked(page, 'settings-business');
    await tab('Impuestos');
    await page.getByLabel('Tasa en %').nth(1).fill('120');
    await press(page, 'Guardar');
    await page.getByText('Debe ser un porcentaje de 0 a 100', { exact: true }).waitFor();
    await checked(page, 'settings-taxes-refused');
    await tab('Cotizaciones');
    await page.goto(`${service.http.url}/app/settings/numbering`);
    await checked(page, 'settings-numbering');
    await tab('Correo y avisos');
    await page.getByLabel('Primer correo: días después').fill('3');
    await press(page, 'Guardar');
    await page.getByText('Los ajustes se guardaron.').waitFor();
    await checked(page, 'settings-email');
    await tab('Documentos');
    await page.getByLabel('Archivo').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('x') });
    await press(page, 'Subir el logotipo');
    await page.locator('#logo-error').waitFor();
    await checked(page, 'settings-logo-refused');
    const logo = await png({ width: 300, height: 120 });
    await page.getByLabel('Archivo').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: logo });
    await press(page, 'Subir el logotipo');
    await page.getByRole('img', { name: /^Logotipo de/ }).waitFor();
    await page.getByLabel('Color principal', { exact: false }).first().fill('#0A7C55');
    const stripe = page.locator('.sketch [data-fill=primaryColor]').first();
    assert.equal(await stripe.getAttribute('fill'), '#0a7c55');
    await press(page, 'Guardar');
    await page.getByText('Los ajustes se guardaron.').waitFor();
    await checked(page, 'settings-branding');
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('moves quotes on the board and reads the dashboard', async () => {
    const business = await register(service);
    await using seen = await openAs(business.owner, '/app/pipeline');
    const { page } = seen;
    await checked(page, 'pipeline-empty');
    await page.goto(`${service.http.url}/app/dashboard`);
    await checked(page, 'dashboard-empty');
    await makeQuote(service, business);
    await makeQuote(service, business);
    await page.goto(`${service.http.url}/app/pipeline`);
    const stage = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
    await press(page, /^Marcar enviada COT-1$/);
    await page.getByText('COT-1 está ahora en «Enviadas».').waitFor();
    await page.locator('.quote-card', { hasText: 'COT-1' }).dragTo(stage('Ganadas'));
    await page.getByText('COT-1 está ahora en «Ganadas».').waitFor();
    assert.match(await page.evaluate<string>('document.activeElement.textContent'), /COT-1 está ahora/);
    await page.locator('.quote-card', { hasText: 'COT-2' }).dragTo(stage('Perdidas'));
    await page.getByText('COT-2 todavía no se envía.').waitFor();
    await checked(page, 'pipeline-refused');
    await page.getByRole('button', { name: 'Marcar enviada COT-2' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('COT-2 está ahora en «Enviadas».').waitFor();
    assert.equal(await stage('Ganadas').locator('.quote-card').count(), 1);
    await checked(page, 'pipeline');
    await page.goto(`${service.http.url}/app/dashboard`);
    await page.getByText('Ver como tabla').click();
    await checked(page, 'dashboard');
    await page.goto(`${service.http.url}/app/dashboard?from=2026-02-02&to=2026-01-01`);
    await checked(page, 'dashboard-refused');
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });
});
