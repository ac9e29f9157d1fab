import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, flaws, open, overflow, PHONE, textFlaws, type Watched } from './browser.ts';
import { acceptButton, fill } from './form.ts';
import { CHANGED, change, OFFER, PRESET, totalOf, untilTotal } from './offer.ts';
import { business, sharedBusiness, shown, type Shown } from './world.ts';

const dockTotal = (page: Page) => page.locator('.dock-total .figure').textContent();

describe("selection on the client's page", () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  async function faults({ page, complaints, foreign }: Watched, check = flaws) {
    const found = await check(page);
    await page.setViewportSize({ width: 320, height: 640 });
    return { found, widerAt320: await overflow(page), complaints, foreign };
  }
  const NONE = { found: [], widerAt320: 0, complaints: [], foreign: [] };

  const offered = async (): Promise<Shown> => shown(await sharedBusiness(), OFFER);

  async function accepted({ id, business: { owner } }: Shown) {
    const { body } = await service.http.get(`/api/quotes/${id}`, owner);
    const counting = body.items.filter(({ counts }: { counts: boolean }) => counts);
    return [body.status, body.total, counting.map(({ productName }: { productName: string }) => productName)];
  }
  const SIGNED = ['ACCEPTED', '1334.00', ['Escritorio de encino', 'Tapete', 'Acabado en pino']];

  it('changes every amount and the consent without leaving the page, announces the total, and is what is signed', async () => {
    const quote = await offered();
    await using seen = await open(quote.url);
    const { page } = seen;
    const before = await totalOf(page);

    await page.getByLabel('Nombre completo').fill('Laura Méndez Ortiz');
    await page.getByLabel('Acepto la cotización').check();
    await change(page);
    await untilTotal(page, CHANGED);

    assert.deepEqual([before, await dockTotal(page)], [PRESET, CHANGED]);
    assert.equal(await page.locator('.section-end .item-amount').innerText(), '$1,050.00');
    assert.match(await page.locator('.check').innerText(), /por un total de \$1,334\.00 MXN/);
    assert.equal(await page.locator('[data-new-total]').innerText(), 'Total: $1,334.00 MXN');
    assert.equal(await page.locator('#choice-2').innerText(), 'Opcional, incluido');
    // The sentence with the former total had been agreed to.
    assert.equal(await page.getByLabel('Acepto la cotización').isChecked(), false);
    assert.equal(await page.getByLabel('Nombre completo').inputValue(), 'Laura Méndez Ortiz');
    assert.equal(await page.evaluate('document.activeElement.value === document.querySelector("[name=group-3]:checked").value'), true); // prettier-ignore
    assert.deepEqual(await faults(seen), NONE);

    await fill(page);
    await acceptButton(page).click();
    await page.getByText('Cotización aceptada').waitFor();

    assert.deepEqual(await accepted(quote), SIGNED);
    assert.equal(await page.locator('[data-option]').count(), 0);
    assert.deepEqual(await page.locator('.item-choice').allInnerTexts(), [
      'Opcional, no incluido',
      'Opcional, incluido',
      'Alternativa de Acabado, no incluida',
      'Alternativa de Acabado, elegida',
    ]);
    assert.deepEqual(await faults(seen), NONE);
  });

  it('without JavaScript is updated by a button, keeps the other fields, and is what is signed', async () => {
    const quote = await offered();
    await using seen = await open(quote.url, { javaScriptEnabled: false });
    const { page } = seen;

    await page.getByLabel('Nombre completo').fill('Laura Méndez Ortiz');
    await change(page);
    await page.getByRole('button', { name: 'Actualizar el total' }).click();
    await untilTotal(page, CHANGED);

    assert.match(page.url(), /\/totals#importes$/);
    assert.equal(await page.getByLabel('Nombre completo').inputValue(), 'Laura Méndez Ortiz');
    assert.equal(await page.getByLabel('Tapete').isChecked(), true);
    await fill(page);
    await acceptButton(page).click();
    await page.getByText('Cotización aceptada').waitFor();
    assert.deepEqual(await accepted(quote), SIGNED);
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('without JavaScript cannot be signed before its total was shown: the page shows it and asks again', async () => {
    const quote = await offered();
    await using seen = await open(quote.url, { javaScriptEnabled: false });
    const { page } = seen;

    await change(page);
    await fill(page);
    await acceptButton(page).click();
    await page.getByText('El total cambió con su selección').waitFor();
    const first = [await totalOf(page), (await accepted(quote))[0]];
    await page.getByLabel('Acepto la cotización').check();
    await acceptButton(page).click();
    await page.getByText('Cotización aceptada').waitFor();

    assert.deepEqual(first, [CHANGED, 'SENT']);
    assert.deepEqual(await accepted(quote), SIGNED);
  });

  it('with a negative total is refused beside the amounts, with and without JavaScript, and the one before is kept', async () => {
    const of = await business();
    const taxes = ['UNO', 'DOS'].map((code) => ({ code, name: code, rate: 1, kind: 'withholding' }));
    await service.http.request('PUT', '/api/settings', { headers: of.owner, body: { taxes } });
    const items = [
      { productName: 'Mesa', quantity: 1, unitPrice: 10 },
      { productName: 'Retenida', quantity: 1, unitPrice: 100, optional: true, taxes: ['UNO', 'DOS'] },
    ];
    const quote = await shown(of, { items, shippingCost: 0 });

    for (const javaScriptEnabled of [true, false]) {
      await using seen = await open(quote.url, { javaScriptEnabled });
      const { page } = seen;
      await page.getByLabel('Retenida').check({ force: true });
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Actualizar el total' }).click();

      await page.getByText('Esa selección no se puede aceptar').waitFor();
      assert.deepEqual([await totalOf(page), await page.getByLabel('Retenida').isChecked()], ['$11.60', false]);
      assert.deepEqual(javaScriptEnabled ? await faults(seen) : NONE, NONE);
    }
  });

  it('returns to the shown one, with a message, when the service does not respond', async () => {
    await using seen = await open((await offered()).url);
    const { page } = seen;
    await page.route('**/totals', (route) => route.abort());

    await page.getByLabel('Tapete').click();
    await page.getByText('No pudimos calcular el total').waitFor();

    assert.deepEqual([await totalOf(page), await page.getByLabel('Tapete').isChecked()], [PRESET, false]);
    assert.deepEqual(await flaws(page), []);
  });

  it('of a quote that was revised meanwhile shows the new version and its amounts', async () => {
    const quote = await offered();
    await using seen = await open(quote.url);
    const items = [{ productName: 'Otra mesa', quantity: 1, unitPrice: 10 }];
    const body = { clientId: quote.clientId, items };
    await service.http.post(`/api/quotes/${quote.id}/revise`, body, quote.business.owner);

    await seen.page.getByLabel('Tapete').click();

    await seen.page.getByText('La versión de la cotización cambió').waitFor();
    assert.equal(await totalOf(seen.page), '$11.60');
  });

  for (const [locale, hint, changed] of [
    ['es-MX', 'Elija lo que quiere incluir', '1,334.00'],
    ['en-US', 'Choose what to include', '1,334.00'],
    ['pt-BR', 'Escolha o que deseja incluir', '1.334,00'],
  ] as const) {
    it(`in ${locale} has no violations before and after a change`, async () => {
      const { url } = await offered();
      await using seen = await open(`${url}?lang=${locale}`, { viewport: DESK });
      const { page } = seen;
      assert.equal(await page.getByText(hint).isVisible(), true);
      const check = locale === 'es-MX' ? flaws : textFlaws;
      const before = await check(page);

      await change(page);
      await untilTotal(page, changed);

      assert.deepEqual([before, await faults(seen, check)], [[], NONE]);
    });
  }

  it('works with the keyboard: Space toggles a line, the arrows choose an alternative, each with a visible focus', async () => {
    await using seen = await open((await offered()).url, { viewport: PHONE });
    const { page } = seen;
    const ring = 'getComputedStyle(document.activeElement).outlineStyle !== "none"';

    await page.getByLabel('Lámpara de pie').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    const rings = [await page.evaluate(ring)];
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    rings.push(await page.evaluate(ring));
    await page.keyboard.press('ArrowDown');
    await untilTotal(page, CHANGED);

    assert.deepEqual(rings, [true, true]);
    assert.equal(await page.getByLabel('Acabado en pino').isChecked(), true);
  });
});
