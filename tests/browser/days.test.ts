import assert from 'node:assert/strict';
import { acceptButton, fill } from './form.ts';
import { open, type Opening } from './browser.ts';
import { business, shown } from './world.ts';

/** Readers whose day differs from that of most businesses. */
const [EAST, WEST] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];

/** The page's dates are those of the business: neither a script nor the reader's own zone changes them. */
describe("dates on the client's page", () => {
  for (const [timeZone, reader] of [
    ['America/Mexico_City', EAST],
    ['America/Tijuana', EAST],
    ['America/Santiago', WEST],
    ['Africa/Cairo', WEST],
    ['Pacific/Kiritimati', WEST],
  ] as const) {
    it(`of a business in ${timeZone} are the same for a reader in ${reader}, with and without JavaScript`, async () => {
      const expiresAt = new Date(Date.now() + 20 * 86_400_000).toISOString();
      const { url } = await shown(await business({ timeZone }), { expiresAt });
      const datesOf = async (options: Opening) => {
        await using seen = await open(url, options);
        const texts = await seen.page.locator('time').allInnerTexts();
        return texts;
      };

      const [plain, lively] = [await datesOf({ javaScriptEnabled: false }), await datesOf({ timezoneId: reader })];

      assert.deepEqual(lively, plain);
      const day = new Intl.DateTimeFormat('es-MX', { dateStyle: 'long', timeZone }).format(new Date(expiresAt));
      assert.ok(plain.length >= 3 && plain.some((text) => text.startsWith(`${day}, `)), plain.join(' | '));
    });
  }

  it('are those of the business after a decision too, when a script replaces the page', async () => {
    const { url } = await shown(await business({ timeZone: 'Asia/Kathmandu' }));
    await using seen = await open(url, { timezoneId: WEST });
    await fill(seen.page);
    await acceptButton(seen.page).click();
    await seen.page.getByText('Cotización aceptada').waitFor();

    const lively = await seen.page.locator('time').allInnerTexts();
    await using again = await open(url, { javaScriptEnabled: false });

    assert.deepEqual(lively, await again.page.locator('time').allInnerTexts());
    assert.ok(
      lively.some((text) => text.endsWith('(UTC+5:45)')),
      lively.join(' | '),
    );
  });
});
