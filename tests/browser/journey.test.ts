import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { eventually } from '../eventually.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, open } from './browser.ts';
import { acceptButton, draw, fill, reject } from './form.ts';
import { addLogo, business, draft, notificationsOf, recorded, shown, type Shown, statusOf } from './world.ts';

describe('client in a browser', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  /** The address of the button in the client's mail. */
  async function linkInMail({ clientEmail }: Shown): Promise<string> {
    const messages = await service.parts.inbox.messages();
    const mail = messages.find(({ to }) => to.includes(clientEmail));
    const { html } = (await (await fetch(`${service.parts.inbox.apiUrl}/${mail?.id}`)).json()) as { html: string };
    const [, link] = /<a\s[^>]*href="([^"]+\/p\/[\w-]{43})"/.exec(html) ?? [];
    assert.ok(link, html);
    return link;
  }

  it('opens the mail’s link, draws, accepts, and downloads the signed PDF; the owner is notified', async () => {
    const of = await business({ bankInfo: { bankName: 'Banco del Centro', clabe: '032180000118359719' } });
    await addLogo(of);
    const quote = await draft(of);
    assert.equal((await service.http.post(`/api/quotes/${quote.id}/share`, undefined, of.owner)).status, 200);
    await using seen = await open(await linkInMail(quote));
    const { page } = seen;

    await fill(page);
    await draw(page);
    await acceptButton(page).click();
    await page.getByText('Cotización aceptada').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Descargar PDF firmado' }).click();
    const download = await downloading;

    const pdf = await readFile(await download.path());
    const { body: signature } = await service.http.get(`/api/quotes/${quote.id}/signature`, of.owner);
    const { body: evidence } = await service.http.get(`/api/quotes/${quote.id}/signature/evidence`, of.owner);
    assert.equal(download.suggestedFilename(), 'COT-1.pdf');
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.equal(evidence.pdfSha256, createHash('sha256').update(pdf).digest('hex'));
    assert.deepEqual([signature.signature.type, signature.signature.signerEmail], ['drawn', 'laura@cliente.test']);
    assert.ok(pdf.equals(Buffer.from(await (await fetch(evidence.pdfUrl)).arrayBuffer())), 'not what the owner gets');
    assert.deepEqual(await recorded(service, quote), { signatures: 1, entries: 1, events: 1 });
    const [notification] = await eventually(async () => {
      const notifications = await notificationsOf(of.owner, 'quote_accepted');
      assert.equal(notifications.length, 1);
      return notifications;
    });
    assert.equal(notification?.['title'], 'Cotización aceptada por el cliente');
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('signs by name without JavaScript: the form’s post is answered 303 to the page, which names the signer', async () => {
    const quote = await shown(await business());
    await using seen = await open(quote.url, { javaScriptEnabled: false });
    const { page } = seen;
    const posting = page.waitForResponse((response) => response.request().method() === 'POST');

    await fill(page, { name: 'Laura Méndez Ortiz' });
    await acceptButton(page).click();

    assert.equal((await posting).status(), 303);
    await page.getByText('Cotización aceptada').waitFor();
    assert.equal(page.url(), quote.url);
    assert.match(await page.locator('.banner').innerText(), /Firmada por Laura Méndez Ortiz/);
    assert.equal(await statusOf(quote), 'ACCEPTED');
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('rejects with a reason, which the page then shows; the owner is notified', async () => {
    const quote = await shown(await business());
    await using seen = await open(quote.url, { viewport: DESK });

    await reject(seen.page, 'Encontramos un <b>mejor</b> precio');
    await seen.page.getByText('Cotización rechazada').waitFor();

    assert.match(await seen.page.locator('.banner').innerText(), /Motivo: «Encontramos un <b>mejor<\/b> precio»/);
    assert.equal(await statusOf(quote), 'REJECTED');
    await eventually(async () =>
      assert.equal((await notificationsOf(quote.business.owner, 'quote_rejected')).length, 1),
    );
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('opens the rejection form with the button at the top', async () => {
    const quote = await shown(await business());
    await using seen = await open(quote.url);

    await seen.page.getByRole('link', { name: 'Rechazar' }).first().click();

    await seen.page.getByLabel('Motivo').waitFor({ state: 'visible' });
  });

  it('sees at each field what is missing before anything is sent, and the first gets the focus', async () => {
    const quote = await shown(await business());
    await using seen = await open(quote.url);
    const { page } = seen;
    let posts = 0;
    page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0));

    await page.getByText('Dibujar').click();
    await page.getByLabel('Nombre completo').fill(' ');
    await page.getByLabel('Correo electrónico', { exact: true }).clear();
    await acceptButton(page).click();

    assert.deepEqual((await page.locator('.accept .error').allInnerTexts()).filter(Boolean), [
      'Escriba su nombre completo.',
      'Escriba un correo electrónico válido, como nombre@ejemplo.com.',
      'Dibuje su firma o elija escribirla.',
      'Marque la casilla para aceptar.',
    ]);
    assert.equal(await page.evaluate('document.activeElement.id'), 'signerName');
    assert.equal(posts, 0);
  });

  it('counts as one view, however often the page is loaded', async () => {
    const quote = await shown(await business());
    await using seen = await open(quote.url);

    await seen.page.reload();

    assert.deepEqual(await service.rows('select view_count::int as views from quotes where id = $1', quote.id), [
      { views: 1 },
    ]);
  });
});
