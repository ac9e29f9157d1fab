import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { newId } from '../../db/ids.ts';
import { PASSWORD } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, open, type Opening, PHONE, type Watched } from './browser.ts';
import { linkIn, mailsTo } from './mails.ts';

/** How a person uses a page. */
interface Hands {
  readonly fill: (field: Locator, text: string) => Promise<void>;
  readonly press: (control: Locator) => Promise<void>;
  readonly tick: (box: Locator) => Promise<void>;
}

const pointer: Hands = {
  fill: (field, text) => field.fill(text),
  press: (control) => control.click(),
  tick: (box) => box.check(),
};

const MAX_STOPS = 120;

/** Tab, until the element has the focus. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor();
  const page = target.page();
  const isFocused = async () => (await target.and(page.locator(':focus')).count()) === 1;
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    if (await isFocused()) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${String(target)}`);
}

const keys =
  (...pressed: readonly string[]) =>
  async (target: Locator) => {
    await reach(target);
    for (const key of pressed) await target.page().keyboard.press(key);
  };

const keyboard: Hands = {
  fill: async (field, text) => {
    await reach(field);
    await field.page().keyboard.type(text);
  },
  press: keys('Enter'),
  tick: keys('Space'),
};

const LINES = [
  { productName: 'Silla ejecutiva', quantity: '4', unitPrice: '1850.50' },
  { productName: 'Escritorio de encino', quantity: '1', unitPrice: '7490' },
  { productName: 'Flete', quantity: '1', unitPrice: '380' },
];
/** 16 % on the chairs and the desk; none on the freight. */
const TAX = '$2,382.72';
const TOTAL = '$17,654.72 MXN';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page | Locator, name: string) => page.getByRole('link', { name, exact: true }).first();
const byId = (page: Page, id: string) => page.locator(`[id="${id}"]`);

async function registers(page: Page, { fill, press }: Hands): Promise<void> {
  await fill(page.getByLabel('Nombre del negocio'), 'Muebles Roble');
  await fill(page.getByLabel('Su nombre'), 'Diana Ríos');
  await fill(page.getByLabel('Correo electrónico'), `${newId()}@dueno.test`);
  await fill(page.getByLabel('Contraseña'), PASSWORD);
  await press(button(page, 'Crear la cuenta'));
  await page.getByText('Su cuenta está lista.').waitFor();
}

async function quotes(page: Page, { fill, press, tick }: Hands, clientEmail: string): Promise<void> {
  await fill(byId(page, 'newClient.contactName'), 'Laura Méndez');
  await fill(byId(page, 'newClient.companyName'), 'Hotel La Palma');
  await fill(byId(page, 'newClient.email'), clientEmail);
  await press(button(page, 'Crear y elegir'));
  await button(page, 'Cambiar de cliente').waitFor();
  for (const [row, line] of LINES.entries()) {
    for (const [name, value] of Object.entries(line)) await fill(byId(page, `items.${row}.${name}`), value);
  }
  await press(byId(page, 'mas-2').locator('summary'));
  await tick(byId(page, 'mas-2').getByLabel('Sin impuestos'));
  await press(button(page, 'Calcular').last());
  await page.locator('.sum-total').filter({ hasText: TOTAL }).waitFor();
  assert.match(
    await page.locator('#totales').innerText(),
    new RegExp(`IVA[^\\n]*\\s+${TAX.replaceAll(/[$.]/g, '\\$&')}`),
  );
  await press(button(page, 'Crear la cotización'));
  await page.getByText('La cotización se creó.').waitFor();
}

async function signs(page: Page, { fill, press, tick }: Hands): Promise<void> {
  await fill(byId(page, 'signerName'), 'Laura Méndez Ortiz');
  await fill(byId(page, 'signerEmail'), 'laura@cliente.test');
  await tick(byId(page, 'consent'));
  await press(button(page, 'Aceptar cotización'));
  await page.getByText('Cotización aceptada').waitFor();
}

const fine = ({ complaints, foreign }: Watched): void => {
  // htmx reports a request that a later one replaced.
  const errors = complaints.filter((line) => !/^htmx:(sendAbort|afterRequest)/.test(line));
  assert.deepEqual([errors, foreign], [[], []]);
};

describe('From the registration to a signed quote', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  const ways: readonly (readonly [string, Hands, Opening])[] = [
    ['with JavaScript at 1280 px', pointer, { viewport: DESK }],
    ['without JavaScript at 390 px', pointer, { viewport: PHONE, javaScriptEnabled: false }],
    ['by keyboard alone', keyboard, { viewport: DESK }],
  ];
  for (const [how, hands, options] of ways) {
    it(`registers, creates a client and a quote, mails it, and sees the client’s signature: ${how}`, async function () {
      this.timeout(120_000);
      const clientEmail = `${newId()}@cliente.test`;
      await using desk = await open(`${service.http.url}/register`, options);
      const { page } = desk;

      await registers(page, hands);
      if (options.viewport === PHONE) await hands.press(page.getByText('Menú', { exact: true }));
      await hands.press(link(page.getByRole('navigation', { name: 'Principal' }), 'Cotizaciones'));
      await hands.press(link(page, 'Nueva cotización'));
      await quotes(page, hands, clientEmail);
      await hands.press(link(page, 'Enviar'));
      assert.equal(await byId(page, 'to.0').inputValue(), clientEmail);
      await hands.press(button(page, 'Enviar cotización'));
      await page.getByText('La cotización se envió por correo.').waitFor();

      const [mail] = await mailsTo(clientEmail, 1);
      assert.ok(mail);
      await using phone = await open(linkIn(mail), options);
      assert.match(await phone.page.locator('main').innerText(), /17,654\.72/);
      await signs(phone.page, hands);

      await hands.press(page.locator('.back'));
      await hands.press(link(page, 'COT-1'));
      const answer = page.getByRole('region', { name: 'Su cliente la aceptó', exact: true });
      await answer.getByText('Laura Méndez Ortiz').waitFor();
      fine(desk);
      fine(phone);
    });
  }
});
