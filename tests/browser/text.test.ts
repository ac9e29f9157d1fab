import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readPdf } from '../adapters/pdf-text.ts';
import { allFlaws, DESK, flaws, open, overflow, PHONE } from './browser.ts';
import { acceptButton, fill } from './form.ts';
import { business, NOTES, sharedBusiness, shown, statusOf } from './world.ts';

const EVIL = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script><b>x</b>';
const NARROW = { width: 320, height: 640 };

describe("texts of users on the client's page", () => {
  it('are shown as text in every field, HTML too', async () => {
    const of = await business({ companyName: EVIL, address: EVIL, bankInfo: { bankName: EVIL.slice(0, 60) } });
    const client = { contactName: EVIL, companyName: EVIL };
    const quote = await shown(of, {
      client,
      items: [{ productName: EVIL, model: '"><svg onload=1>', quantity: 1, unitPrice: 1 }],
      notes: EVIL,
    });
    await using seen = await open(quote.url);
    const { page } = seen;

    const letters = await page.locator('main').innerText();

    assert.equal(letters.split(EVIL).length - 1, 10, letters);
    assert.equal(await page.locator('img, script:not([src]), b, svg').count(), 0);
    assert.doesNotMatch(await page.title(), /^owned/);
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('break instead of widening the page: names of 2 000 letters, figures of 12 digits, 300 emoji', async () => {
    const quote = await shown(await business({ companyName: 'A'.repeat(200), address: 'B'.repeat(500) }), {
      client: { contactName: 'C'.repeat(200), companyName: 'D'.repeat(200) },
      items: [
        {
          productName: 'x'.repeat(2_000),
          model: 'y'.repeat(200),
          quantity: 899,
          unitPrice: 9_999_999.99,
          discountPct: 4.44,
        },
      ],
      notes: '😀'.repeat(150),
    });
    await using seen = await open(quote.url);
    const widths: number[] = [];

    for (const size of [NARROW, PHONE, { width: 560, height: 900 }, { width: 1000, height: 900 }, DESK]) {
      await seen.page.setViewportSize(size);
      widths.push(await overflow(seen.page));
    }

    assert.deepEqual(widths, [0, 0, 0, 0, 0]);
    assert.deepEqual(await allFlaws(seen.page, [DESK]), []);
    assert.deepEqual(await spilling(seen.page), []);
  });

  it('run from right to left where written so, and nothing around them does', async () => {
    const quote = await shown(await business({ companyName: 'ريادة الأثاث' }), {
      items: [{ productName: 'כיסא מנהלים (SE-200)', quantity: 8, unitPrice: 1850.5 }],
      notes: 'התשלום תוך 30 יום.',
    });
    await using seen = await open(quote.url);
    const { page } = seen;

    const directionOf = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).direction`);

    assert.equal(await directionOf('.notes p'), 'rtl');
    assert.equal(await directionOf('.item-name bdi'), 'rtl');
    assert.equal(await directionOf('.lead'), 'ltr');
    assert.deepEqual(await allFlaws(page, [PHONE]), []);
  });

  it('of a thousand lines are on the page within seconds, and can be accepted there', async () => {
    const items = Array.from({ length: 1_000 }, (_, i) => ({
      productName: `Silla ${i + 1}`,
      quantity: 2,
      unitPrice: 10,
    }));
    const quote = await shown(await sharedBusiness(), { items });
    await using seen = await open(quote.url);
    const { page } = seen;

    const readyMs = await page.evaluate<number>(
      'performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd',
    );
    await fill(page);
    await acceptButton(page).click();
    await page.getByText('Cotización aceptada').waitFor();
    // The rest of the page may still be on its way.
    await page.waitForLoadState('domcontentloaded');

    // Some hundred ms on an idle machine.
    assert.ok(readyMs < 8_000, `ready after ${readyMs} ms`);
    assert.equal(await page.locator('.items tbody tr').count(), 1_000);
    assert.equal(await statusOf(quote), 'ACCEPTED');
  });

  it('fit at twice their size', async () => {
    const quote = await shown(await business({ bankInfo: { bankName: 'Banco', clabe: '032180000118359719' } }));
    await using seen = await open(quote.url);
    await seen.page.evaluate('void (document.documentElement.style.fontSize = "200%")');

    assert.deepEqual(await flaws(seen.page), []);
    assert.deepEqual(await spilling(seen.page), []);
    await fill(seen.page);
    await acceptButton(seen.page).click();
    await seen.page.getByText('Cotización aceptada').waitFor();
  });

  it('print as the quote alone, without forms, buttons and bar', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url, { viewport: DESK });

    const { text: printed, pages } = await readPdf(await seen.page.pdf({ format: 'Letter' }));

    assert.match(printed, /Silla ejecutiva[\s\S]*\$53,434\.18/);
    assert.ok(printed.includes(NOTES.split('\n')[0] ?? ''), printed);
    assert.doesNotMatch(printed, /Aceptar cotización|Descargar|Rechazar|Nombre completo/);
    assert.ok(pages.length <= 2, `${pages.length} pages`);
  });

  it('have no motion for a reader who asked for less', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url, { reducedMotion: 'reduce' });

    const moving = await seen.page.evaluate<string[]>(`[...document.querySelectorAll('*')]
      .filter((at) => [getComputedStyle(at).transitionDuration, getComputedStyle(at).animationDuration].some((s) => parseFloat(s) > 0))
      .map((at) => at.className)`);

    assert.deepEqual(moving, []);
  });
});

/** Elements whose content overflows the card that they are in. */
const spilling = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.card, .banner, .button')]
    .filter((at) => at.scrollWidth > at.clientWidth + 1)
    .map((at) => at.className)`);
