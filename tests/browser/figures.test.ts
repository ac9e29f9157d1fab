import assert from 'node:assert/strict';
import { DESK, open, PHONE } from './browser.ts';
import { acceptButton, fill } from './form.ts';
import { sharedBusiness, shown } from './world.ts';

/** Amounts, names and the signature as the page shows them. */
describe("figures and signatures on the client's page", () => {
  const top = (box: { y: number; height: number } | null) => (box ? box.y + box.height : Number.NaN);

  for (const unitPrice of [47_544.34, 107_758.61, 203_149.8, 1_077_586.2, 1_234_567.89, 98_765_432.1, 999_999_999.99]) {
    it(`the currency is next to the total of ${unitPrice}, on a phone and on a desk`, async () => {
      const items = [{ productName: 'Planta', quantity: 8, unitPrice }];
      await using seen = await open((await shown(await sharedBusiness(), { items })).url);

      for (const size of [PHONE, DESK]) {
        await seen.page.setViewportSize(size);
        for (const total of ['.overview-total', '.grand dd']) {
          const figure = await seen.page.locator(`${total} .figure`).boundingBox();
          const code = await seen.page.locator(`${total} .code`).boundingBox();
          assert.ok(figure && code && code.y < top(figure) && code.x > figure.x, `${total} at ${size.width}`);
        }
      }
    });
  }

  for (const name of [
    'Lic. María Guadalupe Hernández Castañeda',
    'Licenciada María Guadalupe de los Ángeles Hernández Castañeda viuda de Rodríguez y Fernández de Córdoba',
    'Ñ'.repeat(200),
  ]) {
    it(`a typed signature of ${name.length} letters is shown whole before signing, and after it as an image`, async () => {
      await using seen = await open((await shown(await sharedBusiness())).url);
      const { page } = seen;
      const isWhole = (selector: string) =>
        page.evaluate<boolean>(`(() => {
          const typed = document.querySelector('${selector}').getBoundingClientRect();
          const paper = document.querySelector('div.paper').getBoundingClientRect();
          return typed.top >= paper.top && typed.bottom <= paper.bottom && typed.left >= paper.left && typed.right <= paper.right;
        })()`);

      await fill(page, { name });
      const before = [await page.locator('.typed').innerText(), await isWhole('.typed')];
      await acceptButton(page).click();
      await page.locator('.signed').waitFor();
      const image = page.locator('.signed div.paper img');
      const after = [await image.getAttribute('alt'), await isWhole('.signed div.paper img')];

      assert.deepEqual(before, [name, true]);
      assert.deepEqual(after, [`Firma de ${name}`, true]);
    });
  }

  it('a typed signature is in the script font of the document, letters of its second file too', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url);
    const { page } = seen;

    await fill(page, { name: 'Łukasz Méndez' });
    await page.waitForFunction('document.fonts.size === 2');

    const loaded = await page.evaluate(
      '[...document.fonts].map(({ family, status }) => `${family}: ${status}`).sort()',
    );
    assert.deepEqual(loaded, ['Signature Extended: loaded', 'Signature: loaded']);
    assert.match(
      await page.evaluate<string>("getComputedStyle(document.querySelector('.typed')).fontFamily"),
      /^Signature, "Signature Extended"/,
    );
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('the amount of a tax with a long name is on the line of the name, on a phone and on a desk', async () => {
    const items = [{ productName: 'Proyecto', quantity: 1, unitPrice: 10_000.01, taxes: ['IVA16', 'RET_IVA'] }];
    await using seen = await open((await shown(await sharedBusiness(), { items })).url);
    const row = seen.page.locator('.total-row', { hasText: 'Retención de IVA (10.6667 %)' });

    for (const size of [PHONE, DESK]) {
      await seen.page.setViewportSize(size);
      const [name, amount] = [await row.locator('dt').boundingBox(), await row.locator('dd').boundingBox()];
      assert.ok(
        name && amount && Math.abs(name.y - amount.y) < 2 && amount.x >= name.x + name.width,
        `at ${size.width}`,
      );
    }
  });

  it('the button that clears a drawing stands outside of the canvas', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url);
    const { page } = seen;
    await page.getByText('Dibujar').click();

    for (const size of [PHONE, DESK]) {
      await page.setViewportSize(size);
      const canvas = await page.locator('canvas').boundingBox();
      const clear = await page.getByRole('button', { name: 'Borrar' }).boundingBox();
      assert.ok(clear && clear.y >= top(canvas), String(size.width));
    }
  });
});
