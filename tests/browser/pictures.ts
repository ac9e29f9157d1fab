import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { dataDir } from '../../dev/paths.ts';
import { readStackFile } from '../../dev/stack-file.ts';
import { createClient, unwrap } from '../../packages/client/client.ts';
import { findChromium } from './chromium.ts';

// `npm run pictures`: takes the README's pictures of a quote on the running stack of npm start, into docs/pictures/.

const FOLDER = new URL('../../docs/pictures/', import.meta.url);

const stack = readStackFile(dataDir());
if (!stack?.temporalUi) throw new Error('no stack with a Temporal UI runs here: npm start');
const api = createClient({ baseUrl: stack.api, apiKey: stack.demo.apiKey });

const { id: clientId } = await unwrap(
  api.POST('/api/v1/clients', {
    body: { contactName: 'Laura Méndez', companyName: 'Hotel La Palma', email: 'laura@lapalma.test' },
  }),
);
const items = [
  { productName: 'Silla ejecutiva', model: 'SE-200', unitPrice: 1850.5, quantity: 4, discountPct: 10 },
  { productName: 'Escritorio de encino 1.60 m', model: 'EN-160', unitPrice: 7490, quantity: 2 },
  { productName: 'Instalación por hora', unitPrice: 380, quantity: 3 },
];
const quote = await unwrap(
  api.POST('/api/v1/quotes', { body: { clientId, items, notes: 'Entrega en Guadalajara, diez días hábiles.' } }),
);
const params = { path: { id: quote.id } };
await unwrap(api.POST('/api/v1/quotes/{id}/share', { params }));
const { url } = await unwrap(api.GET('/api/v1/quotes/{id}/link', { params }));
const run = await lifecycle();

const browser = await chromium.launch({ executablePath: findChromium(), chromiumSandbox: process.getuid?.() !== 0 });
try {
  const page = await browser.newPage({ viewport: { width: 720, height: 960 }, locale: 'es-MX' });
  await page.goto(url, { waitUntil: 'networkidle' });
  await keep(page, 'portal');
  await page.setViewportSize({ width: 1280, height: 820 });
  await page.goto(new URL(`/app/quotes/${quote.id}`, stack.api).href);
  await page.getByLabel('Correo electrónico').fill(stack.demo.owner.email);
  await page.getByLabel('Contraseña').fill(stack.demo.owner.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.getByText('Lo que ve su cliente').waitFor();
  await keep(page, 'console');
  await page.setViewportSize({ width: 1280, height: 960 });
  // Does not wait until the network is idle: the UI polls.
  await page.goto(run, { waitUntil: 'domcontentloaded' });
  await page.getByText('Timeline', { exact: true }).first().click();
  await page.waitForURL('**/timeline*');
  await page.getByText('Enviar el correo al cliente').first().waitFor();
  await keep(page, 'temporal');
} finally {
  await browser.close();
}

async function keep(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL(`${name}.png`, FOLDER), await page.screenshot());
}

/** The page of the quote's lifecycle in the Temporal UI, which lists an execution about a second after its start. */
async function lifecycle(): Promise<string> {
  for (let tries = 0; tries < 50; tries += 1) {
    const runs = await unwrap(api.GET('/api/v1/quotes/{id}/runs', { params }));
    const address = runs.find(({ type }) => type === 'quoteLifecycle')?.url;
    if (address) return address;
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
  throw new Error('the run of the quote is not listed');
}
