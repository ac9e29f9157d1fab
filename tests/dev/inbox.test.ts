import assert from 'node:assert/strict';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { type Inbox, startInbox } from '../../dev/inbox/inbox.ts';
import type { Message } from '../../dev/inbox/store.ts';
import { makeDataFolder, removeFolder } from './data-folder.ts';

describe('dev/inbox', () => {
  let folder: string;
  let inbox: Inbox;

  before(async () => {
    folder = await makeDataFolder();
    inbox = await startInbox({ dataDir: folder });
  });

  beforeEach(async () => {
    inbox.setMode('accept');
    await inbox.clear();
  });

  after(async () => {
    await inbox.stop();
    await removeFolder(folder);
  });

  const send = (mail: SendMailOptions, patienceMs = 10_000) =>
    createTransport({
      url: inbox.smtpUrl,
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
    }).sendMail({
      from: '"Acme" <no-reply@acme.test>',
      subject: 'Cotización COT-1',
      text: 'Hola',
      ...mail,
    });
  const list = async () => (await (await fetch(inbox.apiUrl)).json()) as Message[];

  it('lists an accepted mail with sender, recipients, subject, headers, texts and attachments', async () => {
    const pdf = Buffer.from('%PDF-1.7 example');

    await send({
      to: 'luis@cliente.test',
      messageId: '<cot-1.v1@acme.test>',
      html: '<p>Hola</p>',
      headers: { 'X-Share': '7' },
      attachments: [{ filename: 'COT-1.pdf', content: pdf }],
    });

    const [message] = await list();
    assert.equal(message?.from, '"Acme" <no-reply@acme.test>');
    assert.deepEqual(message.to, ['luis@cliente.test']);
    assert.equal(message.subject, 'Cotización COT-1');
    assert.equal(message.messageId, '<cot-1.v1@acme.test>');
    assert.equal(message.headers['x-share'], '7');
    assert.equal(message.text, 'Hola');
    assert.equal(message.html, '<p>Hola</p>');
    assert.deepEqual(message.attachments, [
      { filename: 'COT-1.pdf', contentType: 'application/pdf', size: pdf.length },
    ]);
  });

  it('serves an attachment with its bytes, type and name', async () => {
    const pdf = Buffer.from('%PDF-1.7 example');
    await send({ to: 'luis@cliente.test', attachments: [{ filename: 'COT-1.pdf', content: pdf }] });
    const [message] = await list();

    const response = await fetch(`${inbox.apiUrl}/${message?.id}/attachments/0`);

    assert.equal(response.headers.get('content-type'), 'application/pdf');
    assert.equal(response.headers.get('content-disposition'), "inline; filename*=UTF-8''COT-1.pdf");
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), pdf);
  });

  it('serves the source as it came over the wire', async () => {
    await send({ to: 'luis@cliente.test', messageId: '<source@acme.test>' });
    const [message] = await list();

    const source = await (await fetch(`${inbox.apiUrl}/${message?.id}/source`)).text();

    assert.match(source, /^Message-ID: <source@acme\.test>\r$/m);
  });

  it('lists the newest mail first, also after a restart on the same folder', async () => {
    await send({ to: 'a@cliente.test', subject: 'first' });
    await send({ to: 'a@cliente.test', subject: 'second' });

    const again = await startInbox({ dataDir: folder });
    const subjects = (await again.messages()).map(({ subject }) => subject);
    await again.stop();

    assert.deepEqual(subjects, ['second', 'first']);
  });

  it('refuses reject+550@… with 550 every time', async () => {
    const mail = { to: 'reject+550@cliente.test' };

    await assert.rejects(send(mail), { code: 'EENVELOPE', responseCode: 550 });
    await assert.rejects(send(mail), { code: 'EENVELOPE', responseCode: 550 });

    assert.deepEqual(await list(), []);
  });

  it('defers defer+2@… twice with 451, then accepts the mail', async () => {
    const mail = { to: 'defer+2@cliente.test' };

    await assert.rejects(send(mail), { responseCode: 451 });
    await assert.rejects(send(mail), { responseCode: 451 });
    await send(mail);

    assert.equal((await list()).length, 1);
  });

  it('accepts a mail for its valid recipient and refuses only the invalid one', async () => {
    const info = await send({ to: ['luis@cliente.test', 'reject+550@cliente.test'] });

    assert.deepEqual(info.rejected, ['reject+550@cliente.test']);
    assert.deepEqual((await list())[0]?.to, ['luis@cliente.test']);
  });

  it('refuses every recipient with 550 in the mode reject', async () => {
    inbox.setMode('reject');

    await assert.rejects(send({ to: 'luis@cliente.test' }), { responseCode: 550 });
  });

  it('does not respond to a sender in the mode hang', async () => {
    inbox.setMode('hang');

    await assert.rejects(send({ to: 'luis@cliente.test' }, 800), { code: 'ETIMEDOUT' });

    assert.deepEqual(await list(), []);
  });

  it('keeps the mail and closes the connection in the mode drop-after-data', async () => {
    inbox.setMode('drop-after-data');

    await assert.rejects(send({ to: 'luis@cliente.test' }));

    assert.equal((await list()).length, 1);
  });

  it('sets its mode over HTTP and refuses an unknown one', async () => {
    const url = new URL('/api/mode', inbox.url);

    const taken = await fetch(url, { method: 'PUT', body: '{"mode":"reject"}' });
    const refused = await fetch(url, { method: 'PUT', body: '{"mode":"sleep"}' });

    assert.deepEqual(await taken.json(), { mode: 'reject' });
    assert.equal(refused.status, 400);
  });

  it('deletes all mails on DELETE', async () => {
    await send({ to: 'luis@cliente.test' });

    const response = await fetch(inbox.apiUrl, { method: 'DELETE' });

    assert.equal(response.status, 204);
    assert.deepEqual(await list(), []);
  });

  it('shows the HTML of a mail under a policy that runs no script and loads nothing from outside', async () => {
    await send({ to: 'luis@cliente.test', html: '<script>alert(1)</script>' });
    const [message] = await list();

    const response = await fetch(`${inbox.apiUrl}/${message?.id}/html`);

    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^sandbox (?!.*allow-scripts)/);
    assert.match(policy, /default-src 'none'; img-src data:;/);
  });

  it('lists mails as links on its page and finds them by words, without case and accents', async () => {
    await send({ to: 'luis@cliente.test' });
    await send({ to: 'ana@cliente.test', subject: '<b>Factura</b>' });
    const page = async (query: string) => (await fetch(new URL(`/?q=${query}`, inbox.url))).text();
    const subjects = (text: string) =>
      [...text.matchAll(/<a href="\/messages\/[^"]+">(.*?)<\/a>/g)].map(([, name]) => name);

    assert.deepEqual(subjects(await page('')), ['&lt;b&gt;Factura&lt;/b&gt;', 'Cotización COT-1']);
    assert.deepEqual(subjects(await page('COTIZACION+luis')), ['Cotización COT-1']);
    assert.deepEqual(subjects(await page('cotizacion+ana')), []);
  });

  it('shows a mail with its parts and attachments on a page that runs no script', async () => {
    await send({
      to: 'luis@cliente.test',
      html: '<p>Hola</p>',
      attachments: [{ filename: 'COT-1.pdf', content: 'x' }],
    });
    const [message] = await list();

    const response = await fetch(new URL(`/messages/${message?.id}`, inbox.url));

    assert.doesNotMatch(response.headers.get('content-security-policy') ?? 'script-src', /script-src/);
    const text = await response.text();
    for (const part of ['html', 'attachments/0', 'attachments/0?download', 'source']) {
      assert.ok(text.includes(`="/api/messages/${message?.id}/${part}"`), part);
    }
    assert.match(text, /<pre>Hola\s*<\/pre>/);
  });

  it('answers 404 for an unknown message', async () => {
    const response = await fetch(`${inbox.apiUrl}/1700000000000-00000000/source`);

    assert.equal(response.status, 404);
  });
});
