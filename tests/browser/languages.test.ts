import assert from 'node:assert/strict';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, open, overflow, PHONE, textFlaws, type Watched } from './browser.ts';
import { banner } from './form.ts';
import { addLogo, business, lapse, recorded, sharedBusiness, shown } from './world.ts';

/** Actions and texts of the page in each language except Spanish, which all other tests use. */
const LANGUAGES = [
  {
    locale: 'en-US',
    accept: 'Accept',
    reject: 'Decline',
    name: 'Full name',
    email: 'Email address',
    consent: 'I accept quote',
    acceptQuote: 'Accept quote',
    accepted: 'Quote accepted',
    signature: 'Signature of Laura Méndez',
    draw: 'Draw',
    missing: ['Enter a valid email address, such as name@example.com.', 'Check the box to accept.'],
    noSignature: 'Draw your signature or choose to type it.',
    notConfirmed: /^We could not confirm your response\./,
    rejectQuote: 'Decline the quote',
    confirm: 'Confirm and decline',
    rejected: 'Quote declined',
    expired: /^This quote expired on /,
    copy: 'Copy the CLABE',
    copied: 'The account number was copied.',
  },
  {
    locale: 'pt-BR',
    accept: 'Aceitar',
    reject: 'Recusar',
    name: 'Nome completo',
    email: 'E-mail',
    consent: 'Aceito o orçamento',
    acceptQuote: 'Aceitar orçamento',
    accepted: 'Orçamento aceito',
    signature: 'Assinatura de Laura Méndez',
    draw: 'Desenhar',
    missing: ['Informe um e-mail válido, como nome@exemplo.com.', 'Marque a caixa para aceitar.'],
    noSignature: 'Desenhe sua assinatura ou escolha digitá-la.',
    notConfirmed: /^Não conseguimos confirmar sua resposta\./,
    rejectQuote: 'Recusar o orçamento',
    confirm: 'Confirmar a recusa',
    rejected: 'Orçamento recusado',
    expired: /^Este orçamento venceu em /,
    copy: 'Copiar a CLABE',
    copied: 'O número da conta foi copiado.',
  },
] as const;

/** Words of the Spanish page only. */
const SPANISH = /Cotización|Vigente|Aceptar|Rechazar|Escriba|Firma|Fecha|Cantidad|Envío/;

for (const words of LANGUAGES) {
  const { locale } = words;
  describe(`the page in ${locale}`, () => {
    let service: Installation;
    before(async () => {
      service = await installation();
    });

    const bankInfo = { bankName: 'Banco', clabe: '032180000118359719' };
    const NONE = { found: [], widerAt320: 0, complaints: [], foreign: [] };

    /** A quote of a client with this language; its texts have no Spanish words. */
    const quoteFor = async (settings: Record<string, unknown> = {}) =>
      shown(await business({ bankInfo, ...settings }), { client: { locale }, notes: '—', items: ITEMS });
    const ITEMS = [{ productName: 'SE-200', model: 'A', quantity: 8, unitPrice: 1850.5, discountPct: 10 }];

    async function faults({ page, complaints, foreign }: Watched) {
      const found = await textFlaws(page);
      await page.setViewportSize({ width: 320, height: 640 });
      return { found, widerAt320: await overflow(page), complaints, foreign };
    }
    const spanish = async ({ page }: Watched) => SPANISH.exec(await page.locator('main').innerText())?.[0];

    it('has no Spanish words and no flaws while the quote is open, and both buttons are visible before scrolling', async () => {
      const quote = await quoteFor();
      await addLogo(quote.business);
      await using seen = await open(quote.url);

      for (const viewport of [PHONE, { width: 1280, height: 720 }]) {
        await seen.page.setViewportSize(viewport);
        for (const name of [words.accept, words.reject]) {
          const box = await seen.page.getByRole('link', { name, exact: true }).first().boundingBox();
          assert.ok(box && box.y + box.height <= viewport.height, `${name} at ${viewport.width}`);
        }
      }

      assert.equal(await seen.page.locator('html').getAttribute('lang'), locale);
      assert.equal(await spanish(seen), undefined);
      assert.deepEqual(await faults(seen), NONE);
    });

    it('shows validation errors, an unconfirmed response and the acceptance in that language', async () => {
      const quote = await quoteFor();
      await using seen = await open(quote.url);
      const { page } = seen;
      const button = page.getByRole('button', { name: words.acceptQuote });

      await page.getByRole('textbox', { name: words.email }).clear();
      await button.click();
      const missing = (await page.locator('.accept .error').allInnerTexts()).filter(Boolean);
      await page.getByText(words.draw, { exact: true }).click();
      await button.click();
      const unsigned = await page.locator('#signature-error').innerText();
      await page.getByRole('textbox', { name: words.email }).fill('laura@cliente.test');
      await page.getByLabel(words.consent).check();
      await page.locator('[name=signatureType][value=typed]').check({ force: true });
      await page.route('**/accept*', (route) => route.fulfill({ status: 503 }));
      await button.click();
      const note = page.locator('.accept [data-note]');
      await note.getByText(words.notConfirmed).waitFor();
      await page.unroute('**/accept*');
      await button.click();

      await page.getByRole('img', { name: words.signature }).waitFor();
      assert.deepEqual(missing, words.missing);
      assert.equal(unsigned, words.noSignature);
      assert.deepEqual(await banner(page).allInnerTexts(), [words.accepted]);
      assert.equal(await spanish(seen), undefined);
      assert.equal((await recorded(service, quote))?.['signatures'], 1);
      assert.deepEqual(await faults(seen), NONE);
    });

    it('shows a rejection in that language', async () => {
      await using seen = await open((await quoteFor()).url, { viewport: DESK });
      const { page } = seen;

      await page.getByText(words.rejectQuote).click();
      await page.getByRole('button', { name: words.confirm }).click();

      await page.getByText(words.rejected).waitFor();
      assert.equal(await spanish(seen), undefined);
      assert.deepEqual(await faults(seen), NONE);
    });

    it('shows an expired quote in that language', async () => {
      const quote = await quoteFor();
      await lapse(service, quote);
      await using seen = await open(quote.url);

      assert.match((await banner(seen.page).allInnerTexts()).join(), words.expired);
      assert.equal(await spanish(seen), undefined);
      assert.deepEqual(await faults(seen), NONE);
    });

    it('announces in that language that the account number was copied', async () => {
      await using seen = await open((await quoteFor()).url, { permissions: ['clipboard-read', 'clipboard-write'] });

      await seen.page.getByRole('button', { name: words.copy }).click();

      await seen.page.getByText(words.copied).waitFor({ state: 'attached' });
    });
  });
}

describe('the language links of the page', () => {
  for (const javaScriptEnabled of [true, false]) {
    it(`lead to the quote in another language, which remains after the acceptance, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
      const { url } = await shown(await sharedBusiness());
      await using seen = await open(url, { javaScriptEnabled });
      const { page } = seen;

      await page.getByRole('navigation', { name: 'Idioma' }).getByRole('link', { name: 'English' }).click();
      const pdf = await page.getByRole('link', { name: 'Download PDF' }).getAttribute('href');
      await page.getByRole('textbox', { name: 'Email address' }).fill('laura@cliente.test');
      await page.getByLabel('I accept quote').check();
      await page.getByRole('button', { name: 'Accept quote' }).click();
      await page.getByText('Quote accepted').waitFor();

      assert.match(pdf ?? '', /\/pdf\?lang=en-US$/);
      assert.equal(page.url(), `${url}?lang=en-US`);
    });
  }
});
