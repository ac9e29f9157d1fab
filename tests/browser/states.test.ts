import assert from 'node:assert/strict';
import { type Installation, installation } from '../journey/installation.ts';
import { allFlaws, DESK, flaws, open, overflow, PHONE, textFlaws, type Watched } from './browser.ts';
import { acceptButton, banner, draw, fill, reject } from './form.ts';
import { OFFER } from './offer.ts';
import { addLogo, business, draft, lapse, sharedBusiness, shown } from './world.ts';

const SIZES = [
  [390, 844],
  [1000, 700],
  [1280, 720],
  [1280, 900],
  [1280, 960],
  [1440, 1000],
] as const;

/** Each state of the page, at 390 and 1280 px: no finding of axe, no error, nothing from another origin. */
describe("client's page, by state", () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  /** Asserts at all widths that nothing is wrong. 320 px is a window of 1280 px at 400 % (WCAG 1.4.10). */
  async function faults({ page, complaints, foreign }: Watched, check = flaws) {
    const found = await check(page);
    await page.setViewportSize({ width: 320, height: 640 });
    return { found, widerAt320: await overflow(page), complaints, foreign };
  }
  const NONE = { found: [], widerAt320: 0, complaints: [], foreign: [] };

  it('open, with logo, colours and bank account', async () => {
    const of = await business({ bankInfo: { bankName: 'Banco del Centro', clabe: '032180000118359719' } });
    await addLogo(of);
    await using seen = await open((await shown(of)).url);

    assert.equal(await seen.page.getByRole('img', { name: 'Muebles Roble' }).isVisible(), true);
    assert.deepEqual(await faults(seen, allFlaws), NONE);
  });

  // On the last one neither white nor the ink of the page is readable.
  for (const primaryColor of ['#F2B705', '#FFFFFF', '#000000', '#7A7A7A']) {
    it(`open, in the colour ${primaryColor}`, async () => {
      await using seen = await open((await shown(await business({ pdfBranding: { primaryColor } }))).url);

      assert.deepEqual(await faults(seen, allFlaws), NONE);
    });
  }

  it('open, for a reader who prefers dark pages', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url, { colorScheme: 'dark' });

    assert.equal(await seen.page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(15, 21, 27)');
    assert.deepEqual(await faults(seen), NONE);
  });

  it('printed by a reader who prefers dark pages: one document in dark letters, without anything to press', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url, { colorScheme: 'dark' });
    await seen.page.emulateMedia({ media: 'print' });

    const shownOf = (selector: string) =>
      seen.page.evaluate<string[]>(
        `[...document.querySelectorAll('${selector}')].filter((one) => one.checkVisibility()).map((one) => one.className)`,
      );
    assert.deepEqual(await shownOf('button, form, nav, summary, .button, .skip'), []);
    assert.deepEqual(await shownOf('.card'), ['card sheet']);
    assert.equal(await seen.page.evaluate('getComputedStyle(document.body).color'), 'rgb(23, 33, 43)');
  });

  it('open, scrolled, with the two buttons at the lower edge of a phone', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url);
    const { page } = seen;
    const bar = page.getByRole('group', { name: 'Responder' });
    const atTop = await bar.isVisible();

    await page.evaluate('scrollTo(0, 700)');
    await bar.waitFor();

    assert.deepEqual(await allFlaws(page, [PHONE]), []);
    await bar.getByRole('link', { name: 'Aceptar' }).click();
    await bar.waitFor({ state: 'hidden' });
    assert.equal(atTop, false);
    assert.equal(await page.getByLabel('Nombre completo').isVisible(), true);
  });

  it('open, at six sizes of a window: both buttons are visible before scrolling', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url);
    const inSight: Record<string, unknown> = {};

    for (const [width, height] of SIZES) {
      await seen.page.setViewportSize({ width, height });
      inSight[`${width}×${height}`] = await seen.page.evaluate(
        `['Aceptar', 'Rechazar'].filter((name) => [...document.querySelectorAll('a, button, summary')].some((one) =>
          one.innerText.includes(name) && one.checkVisibility() && one.getBoundingClientRect().bottom <= innerHeight))`,
      );
    }

    const both = SIZES.map(([width, height]) => [`${width}×${height}`, ['Aceptar', 'Rechazar']]);
    assert.deepEqual(inSight, Object.fromEntries(both));
  });

  it('open, being signed with a drawn line', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url);
    await draw(seen.page);

    assert.deepEqual(await faults(seen), NONE);
  });

  it('open, with the missing fields marked', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url);
    await acceptButton(seen.page).click();

    assert.deepEqual(await faults(seen), NONE);
  });

  /** Shows the page with which the service responds to a form that is posted without JavaScript. */
  async function posted({ page }: Watched, url: string, form: string, fields: Readonly<Record<string, string>>) {
    const headers = { Origin: new URL(url).origin, 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${url}/${form}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
    const { status } = response;
    const body = await response.text();
    await page.route(url, (route) => route.fulfill({ status, body, headers: Object.fromEntries(response.headers) }));
    await page.reload();
    return status;
  }

  it('open, with the service’s list of invalid fields, without JavaScript', async () => {
    const { url } = await shown(await sharedBusiness());
    await using seen = await open(url);

    await posted(seen, url, 'accept', { signerName: ' ', signerEmail: 'laura@', version: '1' });

    assert.equal(await seen.page.locator('.summary li').count(), 3);
    assert.deepEqual(await faults(seen), NONE);
  });

  it('open, with a change request whose fields are missing, then marked by the service, then one too many', async () => {
    const { id, url, business: of } = await shown(await sharedBusiness());
    await using seen = await open(url);
    const { page } = seen;
    await page.locator('#cambios summary').click();
    await page.locator('#cambios [type=submit]').click();
    assert.equal(await page.evaluate('document.activeElement.id'), 'changeMessage');
    assert.deepEqual(await faults(seen), NONE);

    const wrong = { changeMessage: ' ', changeEmail: 'laura@', changeName: '', version: '1' };
    assert.equal(await posted(seen, url, 'request-changes', wrong), 400);
    assert.deepEqual(
      [await page.locator('#cambios .summary li').count(), await page.locator('#changeMessage').isVisible()],
      [2, true],
    );
    assert.deepEqual(await faults(seen), NONE);

    assert.equal(await posted(seen, url, 'request-changes', { ...wrong, changeMessage: 'Otra', changeEmail: '', version: '9' }), 409); // prettier-ignore
    assert.match((await page.locator('.box, .banner').allInnerTexts()).join(), /La versión de la cotización cambió/);
    assert.deepEqual(await faults(seen), NONE);

    const portal = url.replace('/p/', '/api/portal/');
    for (let sent = 1; sent <= 10; sent += 1)
      assert.equal((await service.http.post(`${new URL(portal).pathname}/request-changes`, { message: `Otra ${sent}`, version: 1 })).status, 201); // prettier-ignore
    assert.equal(await posted(seen, url, 'request-changes', { changeMessage: 'Una más', version: '1' }), 429);
    assert.deepEqual(await faults(seen), NONE);
    const { body } = await service.http.get(`/api/quotes/${id}/messages`, of.owner);
    assert.equal(body.total, 10);
  });

  it('open, with a selection that was refused or whose total was not shown, without JavaScript', async () => {
    const { url } = await shown(await sharedBusiness(), OFFER);
    await using seen = await open(url);
    const { page } = seen;
    const line = (name: string) => page.getByLabel(name).inputValue();
    const [lamp, rug, oak] = [await line('Lámpara de pie'), await line('Tapete'), await line('Acabado en encino')];
    const version = { version: '1', shown: `${lamp},${oak}` };

    assert.equal(await posted(seen, url, 'totals', { ...version, 'line-1': rug, 'line-2': rug }), 400);
    await page.getByText('Esa selección no se puede aceptar').waitFor();
    assert.deepEqual(await faults(seen), NONE);

    const signer = { signerName: 'Laura', signerEmail: 'laura@cliente.test', consent: 'si' };
    assert.equal(await posted(seen, url, 'accept', { ...version, ...signer, 'line-2': rug, 'group-3': oak }), 409);
    await page.getByText('El total cambió con su selección').waitFor();
    assert.deepEqual(await faults(seen), NONE);
  });

  it('revised for another client: the former link is not found, the new one names no address until it is shared', async () => {
    const quote = await shown(await sharedBusiness());
    const { owner } = quote.business;
    const other = { contactName: 'Jorge Núñez', email: 'jorge@otro.test' };
    const { body: client } = await service.http.post('/api/clients', other, owner);
    const items = [{ productName: 'Mesa', quantity: 1, unitPrice: 10 }];
    await service.http.post(`/api/quotes/${quote.id}/revise`, { clientId: client.id, items }, owner);
    const { body: link } = await service.http.get(`/api/quotes/${quote.id}/link`, owner);
    await using seen = await open(quote.url);
    const { page } = seen;

    assert.match(await page.locator('body').innerText(), /Cotización no encontrada/);
    assert.deepEqual(await faults(seen), NONE);
    assert.equal((await page.goto(link.url))?.status(), 200);
    assert.equal(await page.locator('#signerEmail').inputValue(), '');
    assert.deepEqual(await faults(seen), NONE);
  });

  it('open, with the rejection unfolded', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url);
    await seen.page.getByText('Rechazar la cotización').click();

    assert.deepEqual(await faults(seen), NONE);
  });

  it('accepted, by a drawn signature', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url);
    await fill(seen.page);
    await draw(seen.page);
    await acceptButton(seen.page).click();

    await seen.page.getByRole('img', { name: 'Firma de Laura Méndez' }).waitFor();
    assert.deepEqual(await faults(seen), NONE);
  });

  for (const [what, name] of [
    ['in Arabic letters', 'محمد عبد الله الفهد'],
    ['of 200 letters', 'María Guadalupe de los Ángeles '.repeat(7).slice(0, 200)],
  ] as const) {
    it(`open and accepted, by a typed name ${what}`, async () => {
      const client = { contactName: name, companyName: name };
      await using seen = await open((await shown(await sharedBusiness(), { client })).url);
      const { page } = seen;
      await page.waitForFunction('document.fonts.size > 0');
      const signing = await faults(seen);
      await fill(page);
      await acceptButton(page).click();
      await page.locator('.signed img').waitFor();

      assert.deepEqual([signing, await faults(seen)], [NONE, NONE]);
    });
  }

  it('rejected', async () => {
    await using seen = await open((await shown(await sharedBusiness())).url, { viewport: DESK });
    await reject(seen.page, 'Muy caro');

    await seen.page.getByText('Cotización rechazada').waitFor();
    assert.deepEqual(await faults(seen), NONE);
  });

  it("expired, with the seller's contact", async () => {
    const quote = await shown(await sharedBusiness());
    await lapse(service, quote);
    await using seen = await open(quote.url);

    assert.match((await banner(seen.page).allInnerTexts()).join(), /^Esta cotización venció el /);
    assert.equal(await seen.page.locator('form').count(), 0);
    assert.equal(await seen.page.locator('.banner a[href^="tel:"]').isVisible(), true);
    assert.deepEqual(await faults(seen), NONE);
  });

  it('closed by the business', async () => {
    const quote = await shown(await sharedBusiness());
    await service.http.patch(`/api/quotes/${quote.id}/status`, { status: 'WON' }, quote.business.owner);
    await using seen = await open(quote.url);

    assert.deepEqual(await banner(seen.page).allInnerTexts(), ['Esta cotización está cerrada']);
    assert.deepEqual(await faults(seen), NONE);
  });

  it('not found, with the same text for a guessed link, a draft, a replaced link and a business on FREE', async () => {
    const of = await business();
    const unsent = await draft(of);
    const replaced = await shown(of);
    await service.http.post(`/api/quotes/${replaced.id}/link/rotate`, {}, of.owner);
    const onFree = await shown(await business());
    await service.rows("update tenants set plan = 'FREE' where id = $1", onFree.business.tenantId);
    const guessed = onFree.url.replace(/[\w-]{43}$/, 'A'.repeat(43));
    await using seen = await open(guessed);
    const said: string[] = [];

    for (const url of [guessed, unsent.url, replaced.url, onFree.url]) {
      assert.equal((await seen.page.goto(url))?.status(), 404);
      said.push(await seen.page.locator('body').innerText());
    }

    assert.match(said[0] ?? '', /Cotización no encontrada/);
    assert.equal(new Set(said).size, 1);
    assert.deepEqual(await faults(seen), NONE);
  });

  for (const lang of ['es-MX', 'en-US', 'pt-BR']) {
    it(`asking for changes, the request sent, and reminders stopped, in ${lang}`, async () => {
      const { url } = await shown(await sharedBusiness());
      await using seen = await open(`${url}?lang=${lang}`);
      const { page } = seen;
      const check = lang === 'es-MX' ? flaws : textFlaws;
      await page.locator('#cambios summary').click();
      assert.deepEqual(await faults(seen, check), NONE);

      await page.locator('#changeMessage').fill('¿Puede incluir la instalación?\nGracias');
      await page.locator('#changeEmail').fill('laura@cliente.test');
      await page.locator('#cambios [type=submit]').click();
      await page.locator('.request').waitFor();
      assert.equal(page.url(), `${url}?lang=${lang}`);
      assert.deepEqual(await faults(seen, check), NONE);

      await page.goto(`${url}/stop-reminders?lang=${lang}`);
      assert.deepEqual(await faults(seen, check), NONE);
      await page.locator('[type=submit]').click();
      await page.locator('form').waitFor({ state: 'detached' });
      assert.deepEqual(await faults(seen, check), NONE);
    });
  }
});
