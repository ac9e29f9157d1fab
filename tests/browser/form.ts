import type { Page } from 'playwright-core';

/** A client's use of the acceptance form. */

export const acceptButton = (page: Page) => page.getByRole('button', { name: 'Aceptar cotización' });
export const banner = (page: Page) => page.locator('.banner-title');

/** Fills in the required fields; the signature is the typed name. */
export async function fill(page: Page, { name }: { name?: string } = {}): Promise<void> {
  if (name !== undefined) await page.getByLabel('Nombre completo').fill(name);
  await page.getByLabel('Correo electrónico', { exact: true }).fill('laura@cliente.test');
  await page.getByLabel('Acepto la cotización').check();
}

/** Chooses to draw, and draws a line with the pointer. */
export async function draw(page: Page): Promise<void> {
  await page.getByText('Dibujar').click();
  const canvas = page.locator('canvas');
  await canvas.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await canvas.boundingBox()) ?? {};
  await page.mouse.move(x + 30, y + 60);
  await page.mouse.down();
  for (let step = 1; step <= 30; step += 1) {
    await page.mouse.move(x + 30 + step * 6, y + 60 + Math.sin(step / 3) * 25);
  }
  await page.mouse.up();
}

/** How many pixels of the canvas have ink. */
export const ink = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, i) => i % 4 === 3 && value > 0).length;
  })()`);

export async function reject(page: Page, reason: string): Promise<void> {
  await page.getByText('Rechazar la cotización').click();
  await page.getByLabel('Motivo').fill(reason);
  await page.getByRole('button', { name: 'Confirmar el rechazo' }).click();
}
