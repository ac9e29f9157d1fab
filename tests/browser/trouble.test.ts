import assert from 'node:assert/strict';
import { type Installation, installation } from '../journey/installation.ts';
import { flaws, open } from './browser.ts';
import { acceptButton, banner, draw, fill, ink } from './form.ts';
import { lapse, recorded, revise, sharedBusiness, shown, statusOf } from './world.ts';

const NOT_CONFIRMED = /No pudimos confirmar su respuesta\..*lo que escribió sigue aquí/;
const NOTHING = { signatures: 0, entries: 0, events: 0 };
const ONCE = { signatures: 1, entries: 1, events: 1 };

describe("client's page in case of errors", () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  it('keeps all that was typed and drawn when the connection fails, and sends it when pressed again', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url);
    const { page } = seen;
    await fill(page, { name: 'Laura M. Ortiz' });
    await draw(page);
    const drawn = await ink(page);
    await page.context().setOffline(true);

    await acceptButton(page).click();
    await page.getByText(NOT_CONFIRMED).waitFor();

    assert.deepEqual(await recorded(service, quote), NOTHING);
    assert.deepEqual(await flaws(page), []);
    assert.equal(await page.getByLabel('Nombre completo').inputValue(), 'Laura M. Ortiz');
    assert.equal(await page.getByLabel('Acepto la cotización').isChecked(), true);
    assert.ok(drawn > 100 && (await ink(page)) > 100, 'the drawn line is still there');
    await page.context().setOffline(false);
    await acceptButton(page).click();
    await page.getByText('Cotización aceptada').waitFor();
    assert.deepEqual(await recorded(service, quote), ONCE);
  });

  it('records one decision when its confirmation is lost and it is sent again', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url);
    const { page } = seen;
    await fill(page);
    await page.route('**/accept', async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.abort('connectionreset');
    });

    await acceptButton(page).click();
    await page.getByText(NOT_CONFIRMED).waitFor();
    await page.unroute('**/accept');
    await acceptButton(page).click();
    await page.getByText('Cotización aceptada').waitFor();

    assert.deepEqual(await recorded(service, quote), ONCE);
  });

  it('shows the error in place when the service answers 503', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url);
    const { page } = seen;
    await fill(page);
    await page.route('**/accept', (route) => route.fulfill({ status: 503, body: 'away' }));

    await acceptButton(page).click();

    await page.getByText(NOT_CONFIRMED).waitFor();
    assert.equal(await acceptButton(page).getAttribute('aria-disabled'), null);
    assert.equal(await page.getByLabel('Correo electrónico', { exact: true }).inputValue(), 'laura@cliente.test');
  });

  it('sends one post for a double click', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url);
    const { page } = seen;
    let posts = 0;
    page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0));
    await fill(page);

    await acceptButton(page).dblclick();
    await page.getByText('Cotización aceptada').waitFor();

    assert.equal(posts, 1);
    assert.deepEqual(await recorded(service, quote), ONCE);
  });

  it('records one decision for two clicks without JavaScript', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url, { javaScriptEnabled: false });
    await fill(seen.page);

    await acceptButton(seen.page).dblclick();
    await seen.page.getByText('Cotización aceptada').waitFor();

    assert.deepEqual(await recorded(service, quote), ONCE);
  });

  it('shows the new version to a tab with an older one, records nothing, and accepts the decision on the new one', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url);
    const { page } = seen;
    await revise(quote);
    await fill(page);
    const answering = page.waitForResponse((response) => response.request().method() === 'POST');

    await acceptButton(page).click();

    assert.equal((await answering).status(), 409);
    await page.getByText('La versión de la cotización cambió').waitFor();
    assert.deepEqual(await recorded(service, quote), NOTHING);
    assert.match(String(await page.evaluate('document.activeElement.className')), /banner/);
    assert.deepEqual(await flaws(page), []);
    await page.getByRole('link', { name: 'Revise la versión 2' }).click();
    assert.equal(await page.getByText('Lámpara de pie').isVisible(), true);
    await fill(page);
    await acceptButton(page).click();
    await page.getByText('Cotización aceptada').waitFor();
    assert.deepEqual(await recorded(service, quote), ONCE);
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('shows «La cotización ya fue respondida» and the decision when another tab was faster', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url);
    await service.http.post(new URL(quote.url).pathname.replace('/p/', '/api/portal/') + '/reject', {});
    await fill(seen.page);

    await acceptButton(seen.page).click();
    await banner(seen.page).first().waitFor();

    assert.deepEqual(await banner(seen.page).allInnerTexts(), [
      'La cotización ya fue respondida',
      'Cotización rechazada',
    ]);
    assert.deepEqual(await flaws(seen.page), []);
  });

  it('shows «La cotización venció» for a decision that comes a second late', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url);
    await fill(seen.page);
    await lapse(service, quote);

    await acceptButton(seen.page).click();
    await seen.page.getByText('La cotización venció').waitFor();

    assert.equal(await statusOf(quote), 'SENT');
    assert.deepEqual(await recorded(service, quote), NOTHING);
    assert.deepEqual(await flaws(seen.page), []);
  });

  it('says that the link is invalid when it was replaced while the page was open', async () => {
    const quote = await shown(await sharedBusiness());
    await using seen = await open(quote.url);
    await service.http.post(`/api/quotes/${quote.id}/link/rotate`, {}, quote.business.owner);
    await fill(seen.page);

    await acceptButton(seen.page).click();

    await seen.page.getByRole('heading', { name: 'Cotización no encontrada' }).waitFor();
    assert.deepEqual(await recorded(service, quote), NOTHING);
  });
});
