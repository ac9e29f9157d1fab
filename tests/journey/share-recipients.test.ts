import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { eventually } from '../eventually.ts';
import { type Business, eventsOf, makeQuote, type Quote, register, statusOf, stepsOfShare } from './business.ts';
import { type Installation, installation } from './installation.ts';

describe('share a quote with chosen recipients', () => {
  let service: Installation;
  let business: Business;

  before(async () => {
    service = await installation();
    business = await register(service);
    // The first share loads the PDF renderer: on a busy machine it may exceed the caller's time limit.
    const first = await makeQuote(service, business);
    await eventually(async () => assert.equal((await share(first, {})).status, 200));
  });
  afterEach(() => service.parts.inbox.setMode('accept'));

  const share = (quote: Quote, body: object, key?: string) =>
    service.http.post(`/api/quotes/${quote.id}/share`, body, {
      ...business.owner,
      ...(key !== undefined && { 'Idempotency-Key': key }),
    });
  const mailsTo = async (address: string) =>
    (await service.parts.inbox.messages()).filter(({ to }) => to.includes(address));
  const address = (what = 'persona') => `${what}@${newId()}.test`;

  it('mails all of them once, with the escaped message, and answers that none was rejected', async () => {
    const quote = await makeQuote(service, business);
    const [one, two, copy] = [address(), address(), address()];

    const res = await share(quote, {
      to: [one, two, one.toUpperCase()],
      cc: [copy, two],
      message: 'Buenos días:\r\nva con <b>descuento</b>\n\nSaludos',
    });

    assert.deepEqual([res.status, res.body], [200, { success: true, rejected: [] }]);
    assert.equal(await statusOf(service, business, quote), 'SENT');
    const [mail, ...more] = await mailsTo(one);
    assert.deepEqual([more.length, mail?.to], [0, [one, two, copy]]);
    assert.equal(mail?.headers['cc'], copy);
    assert.match(mail?.headers['reply-to'] ?? '', /^Diana Ríos <.+@dueno\.test>$|^=\?/);
    assert.match(mail?.text ?? '', /^Hola:\n\nBuenos días:\nva con <b>descuento<\/b>\n\nSaludos\n\nLe enviamos/);
    assert.match(mail?.html ?? '', /Buenos días:<br \/>va con &lt;b&gt;descuento&lt;\/b&gt;/);
    assert.deepEqual(await mailsTo(quote.clientEmail), []);
  });

  it('is SENT and names the rejected ones when one `to` is accepted', async () => {
    const quote = await makeQuote(service, business);
    const [good, bad] = [address(), address('reject+550')];

    const res = await share(quote, { to: [bad, good] });

    assert.deepEqual([res.status, res.body], [200, { success: true, rejected: [bad] }]);
    assert.equal(await statusOf(service, business, quote), 'SENT');
    assert.equal((await mailsTo(good)).length, 1);
  });

  it('answers 500 and sends no copy when no `to` is accepted', async () => {
    const quote = await makeQuote(service, business);
    const copy = address();

    const res = await share(quote, { to: [address('reject+550')], cc: [copy] });

    assert.deepEqual([res.status, res.body.code], [500, 'mail_failed']);
    assert.equal(await statusOf(service, business, quote), 'GENERATED');
    assert.deepEqual(await mailsTo(copy), []);
  });

  it('reaches a recipient whom the server deferred twice together with the others, once', async () => {
    const quote = await makeQuote(service, business);
    const [late, prompt] = [address('defer+2'), address()];

    const res = await share(quote, { to: [prompt, late] });

    assert.deepEqual([res.status, res.body], [200, { success: true, rejected: [] }]);
    assert.deepEqual((await mailsTo(prompt)).map(({ to }) => to), [[prompt, late]]); // prettier-ignore
  });

  it('joins a call with the same content, and answers 409 «Solicitud en curso» to another', async () => {
    const quote = await makeQuote(service, business);
    const [one, other] = [address(), address()];
    const [mine, theirs] = [newId(), newId()];
    service.parts.inbox.setMode('hang');
    const first = share(quote, { to: [one] }, mine);
    await eventually(async () => assert.notDeepEqual(await stepsOfShare(service, quote), []));

    const second = share(quote, { to: [one] }, theirs);
    const refused = await share(quote, { to: [other] });
    service.parts.inbox.setMode('accept');

    assert.deepEqual([refused.status, refused.body.error], [409, 'Solicitud en curso']);
    assert.equal(refused.body.reason, 'other_share_in_progress');
    await Promise.all([first, second]);
    // On a slow machine the nine seconds may have passed; with the same key a call gets the outcome.
    for (const key of [mine, theirs])
      await eventually(async () => assert.equal((await share(quote, { to: [one] }, key)).status, 200), 60_000);
    assert.deepEqual([(await mailsTo(one)).length, (await mailsTo(other)).length], [1, 0]);
    assert.deepEqual(await eventsOf(service, quote), ['quote.created', 'quote.status_changed', 'quote.sent']);
    // Afterwards it is a share of its own.
    assert.equal((await share(quote, { to: [other] })).status, 200);
  });

  it('worker killed during the conversation with the mail server: each of two recipients gets the mail once', async () => {
    const quote = await makeQuote(service, business);
    const [one, two] = [address(), address()];
    const key = newId();
    const body = { to: [one], cc: [two], message: 'Dos destinatarios' };
    service.parts.inbox.setMode('hang');
    const shared = share(quote, body, key);
    await eventually(async () => assert.notDeepEqual(await stepsOfShare(service, quote), []));

    await service.processes.worker.kill();
    service.parts.inbox.setMode('accept');
    await service.startWorker();

    await shared;
    await eventually(async () => {
      const { status, body: answer } = await share(quote, body, key);
      assert.deepEqual([status, answer], [200, { success: true, rejected: [] }]);
    }, 60_000);
    assert.deepEqual((await mailsTo(one)).map(({ to }) => to), [[one, two]]); // prettier-ignore
    assert.equal((await mailsTo(two)).length, 1);
    assert.equal(await statusOf(service, business, quote), 'SENT');
  });
});
