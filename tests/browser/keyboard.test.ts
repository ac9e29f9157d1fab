import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DESK, open, PHONE } from './browser.ts';
import { business, sharedBusiness, shown, statusOf } from './world.ts';

interface Stop {
  readonly name: string;
  /** Width of the focus ring. */
  readonly ringPx: number;
  /** Whether something else covers it. */
  readonly covered: boolean;
}

/** The focused element as seen by a keyboard user. The ring of a choice is around its label. */
const HERE = `(() => {
  const at = document.activeElement;
  const shown = at.matches('.choice input') ? at.nextElementSibling : at;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  const { left, top, width, height } = shown.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  return {
    name: at.id || shown.textContent.trim().replace(/\\s+/g, ' '),
    ringPx: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth),
    covered: over === null || !(shown.contains(over) || over.contains(at)),
  };
})()`;

/** Presses Tab until the element has the focus, and returns every stop on the way. */
async function tabTo(page: Page, name: string): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  while (stops.at(-1)?.name !== name && stops.length < 40) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate<Stop>(HERE));
  }
  return stops;
}

const namesOf = (stops: readonly Stop[]) => stops.map(({ name }) => name);
/** Stops that are not visible. */
const unseen = (stops: readonly Stop[]) => stops.filter(({ ringPx, covered }) => ringPx < 2 || covered);

describe("client's page with a keyboard alone", () => {
  it('has the reading order, keeps the focus visible, and is accepted with Space and Enter', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url, { viewport: DESK });
    const { page } = seen;

    const stops = [...(await tabTo(page, 'signerName')), ...(await tabTo(page, 'signerEmail'))];
    await page.keyboard.type('laura@cliente.test');
    stops.push(...(await tabTo(page, 'consent')));
    await page.keyboard.press('Space');
    stops.push(...(await tabTo(page, 'Aceptar cotización')));
    await page.keyboard.press('Enter');

    await page.getByText('Cotización aceptada').waitFor();
    assert.deepEqual(namesOf(stops), [
      'Ir a la respuesta',
      'English',
      'Português',
      'Aceptar',
      'Rechazar',
      'Descargar PDF',
      '+52 55 5123 4567',
      'ventas@roble.test',
      'signerName',
      'signerEmail',
      'Escribir',
      'consent',
      'Aceptar cotización',
    ]);
    assert.deepEqual(unseen(stops), []);
    assert.equal(await statusOf(quote), 'ACCEPTED');
  });

  it('never hides the focus behind the bar at the lower edge of a phone, also where the element was already in the window', async () => {
    const items = Array.from({ length: 12 }, (_, i) => ({ productName: `Silla ${i}`, quantity: 1, unitPrice: 10 }));
    const of = await business({ bankInfo: { bankName: 'Banco', clabe: '032180000118359719' } });
    await using seen = await open((await shown(of, { items })).url, { viewport: PHONE });
    const { page } = seen;
    // The button that copies lies behind the bar, and the focus on the link before it.
    await page.evaluate(`(() => {
      scrollBy(0, document.querySelector('.copy').getBoundingClientRect().bottom - innerHeight + 20);
      document.querySelector('.parties a[href^=mailto]').focus({ preventScroll: true });
    })()`);
    await page.getByRole('group', { name: 'Responder' }).waitFor();

    const stops = [...(await tabTo(page, 'Copiar la CLABE')), ...(await tabTo(page, 'Aceptar cotización'))];

    assert.deepEqual(namesOf(stops).slice(0, 3), ['Copiar la CLABE', 'signerName', 'signerEmail']);
    assert.deepEqual(unseen(stops), []);
  });

  it('skips to the decision, chooses to draw with the arrows, and opens the rejection with Space', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url, { viewport: DESK });
    const { page } = seen;

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Escribir');
    await page.keyboard.press('ArrowRight');
    const drawing = await page.locator('canvas').isVisible();
    const stops = await tabTo(page, 'Rechazar la cotización');
    await page.keyboard.press('Space');

    assert.equal(drawing, true);
    assert.deepEqual(namesOf(stops), [
      'Borrar la firma dibujada',
      'consent',
      'Aceptar cotización',
      'Pedir cambios',
      'Rechazar la cotización',
    ]);
    assert.equal(await page.getByLabel('Motivo').isVisible(), true);
  });
});
