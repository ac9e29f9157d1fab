import type { Page } from 'playwright-core';

/** A quote with optional lines and alternatives, and a client's use of them. */

export const OFFER = {
  items: [
    { productName: 'Escritorio de encino', quantity: 1, unitPrice: 1000, section: 'Mobiliario' },
    { productName: 'Lámpara de pie', quantity: 1, unitPrice: 200, section: 'Mobiliario', optional: true, selected: true },
    { productName: 'Tapete', quantity: 1, unitPrice: 50, section: 'Mobiliario', optional: true },
    { productName: 'Acabado en encino', quantity: 1, unitPrice: 300, choice: 'Acabado' },
    { productName: 'Acabado en pino', quantity: 1, unitPrice: 100, choice: 'Acabado' },
  ],
  shippingCost: 0,
}; // prettier-ignore

/** With the lamp and oak; with rug and pine as well as without the lamp. */
export const [PRESET, CHANGED] = ['$1,740.00', '$1,334.00'];

export const totalOf = (page: Page) => page.locator('.overview-total .figure').innerText();

/** Waits until the amounts are those of a response. */
export const untilTotal = (page: Page, total: string) => page.locator('.overview-total').getByText(total).waitFor();

export async function change(page: Page): Promise<void> {
  await page.getByLabel('Lámpara de pie').uncheck();
  await page.getByLabel('Tapete').check();
  await page.getByLabel('Acabado en pino').check();
}
