import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAccountMailActivities } from '../../activities/account-mail.ts';
import { createActivityPermits } from '../../activities/permits.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { newId } from '../../db/ids.ts';
import { needs, testStack } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';
import * as build from './build.ts';
import { ownService, type Service, service } from './service.ts';

needs('storage', 'inbox');

const BODY = 'Con gusto.\n\nEl martes le enviamos la nueva versión: https://acme.example/x';

describe('/api/quotes/:id/messages', () => {
  let app: Service;
  let steps: ReturnType<typeof createAccountMailActivities>;
  before(async () => {
    app = await service();
    const config = readWorkerConfig((await testStack()).env);
    steps = createAccountMailActivities({
      ...app.deps,
      mailer: createMailer(config),
      mailFrom: config.MAIL_FROM,
      publicUrl: app.deps.config.PUBLIC_URL,
      permits: createActivityPermits(),
      mailQuota: null,
    });
  });

  const write = (business: build.Business, id: string, body: unknown = { body: BODY }, headers = {}) =>
    app.request('POST', `/api/quotes/${id}/messages`, { body, headers: { ...business.owner, ...headers } });
  const listed = async (business: build.Business, id: string, query = '') =>
    (await app.get(`/api/quotes/${id}/messages${query}`, business.owner)).body;

  const attempt = <Result>(step: () => Promise<Result>): Promise<Result> =>
    new MockActivityEnvironment({ scheduledTimestampMs: Date.now() }).run<[], Result, typeof step>(step);

  /** Sends the mail of a message as its workflow does; returns the mail that arrived. */
  async function mailed({ tenantId }: build.Business, messageId: string) {
    const [row] = await rows('select id from mails where message_id = $1', messageId);
    const mailId = String(row?.['id']);
    const send = () => attempt(() => steps.sendAccountMail({ tenantId, mailId }));
    const result = await send();
    const failure = result.outcome === 'given_up' ? result.reason : null;
    await steps.closeMail({ tenantId, mailId, failure });
    const mail = (await (await testStack()).inbox.messages()).find((one) =>
      one.messageId?.startsWith(`<message.${mailId}@`),
    );
    return { result, mail, again: send };
  }

  it('POST answers 201 with the message, and GET lists it, newest first', async () => {
    const business = await build.business();
    const { id } = await build.sentQuote(business);

    const first = await write(business, id);
    const second = await write(business, id, { body: 'Otra cosa' });

    const { createdAt, ...body } = first.body;
    assert.equal(first.status, 201);
    assert.ok(Date.parse(createdAt));
    assert.deepEqual(body, {
      id: first.body.id,
      direction: 'outbound',
      author: { name: 'Diana', email: business.email },
      body: BODY,
      version: 1,
      mailStatus: 'PENDING',
    });
    assert.deepEqual(await listed(business, id), {
      data: [second.body, first.body],
      total: 2,
      page: 1,
      totalPages: 1,
    });
    assert.deepEqual((await listed(business, id, '?limit=1&page=2')).data, [first.body]);
  });

  it('the mail goes to the client in the thread of the last share, with replies to the author', async () => {
    const business = await build.business();
    const { id, client, page } = await build.sentQuote(business);
    const shareId = newId();
    await rows('update quotes set shared_at = now(), shared_version = 1, share_id = $2 where id = $1', id, shareId);
    const message = await write(business, id);

    const { result, mail, again } = await mailed(business, message.body.id);

    assert.deepEqual(result, { outcome: 'sent' });
    assert.deepEqual(mail?.to, [client.email]);
    assert.match(mail?.headers['in-reply-to'] ?? '', new RegExp(`^<share\\.${shareId}@`));
    assert.equal(mail?.headers['references'], mail?.headers['in-reply-to']);
    assert.match(mail?.headers['reply-to'] ?? '', new RegExp(business.email));
    assert.match(mail?.subject ?? '', /^Re: Cotización COT-1 de Acme: /);
    assert.equal(mail?.headers['auto-submitted'], undefined);
    assert.ok(mail?.text?.startsWith(BODY), mail?.text ?? '');
    assert.ok(mail?.text?.includes(page), 'no link to the page');
    assert.equal((await listed(business, id)).data[0].mailStatus, 'SENT');
    assert.deepEqual(await again(), { outcome: 'skipped' });
  });

  it('a change request is mailed to the creator; the typed address is shown and is neither recipient nor Reply-To', async () => {
    const business = await build.business();
    const { portal, client } = await build.sentQuote(business);
    const typed = `${newId()}@intruso.test`;
    const request = { message: 'Más <b>barato</b>\npor favor', version: 1, name: 'Otra persona', email: typed };
    const asked = await app.post(`${portal}/request-changes`, request);

    const { mail } = await mailed(business, asked.body.id);

    assert.deepEqual(mail?.to, [business.email]);
    assert.match(mail?.headers['reply-to'] ?? '', new RegExp(client.email));
    assert.ok(!JSON.stringify(mail?.headers).includes(typed));
    assert.match(mail?.subject ?? '', /^Laura Méndez pidió cambios a la cotización COT-1$/);
    assert.ok(mail?.text?.includes('> Más <b>barato</b>\n> por favor'), mail?.text ?? '');
    assert.ok(mail?.text?.includes(`Otra persona · ${typed}`));
    assert.ok(mail?.html?.includes('Más &lt;b&gt;barato&lt;/b&gt;'));
    assert.equal((await (await testStack()).inbox.messages()).filter(({ to }) => to.includes(typed)).length, 0);
  });

  it('a change request goes to the owners when the creator is deactivated', async () => {
    const business = await build.business();
    const { userId, as } = await build.member(business);
    const { id, publicToken } = await build.quote(as);
    await build.patchQuote(business, id, { status: 'SENT' });
    await rows('update users set is_active = false where id = $1', userId);

    const asked = await app.post(`/api/portal/${publicToken}/request-changes`, { message: 'Cambios', version: 1 });

    const mails = await rows('select user_id from mails where message_id = $1', asked.body.id);
    assert.deepEqual(mails, [{ user_id: business.userId }]);
  });

  it('a refused mail is FAILED, and one whose client lost its address is given up', async () => {
    const business = await build.business();
    const { id, client } = await build.sentQuote(business);
    const message = await write(business, id);
    await rows('update clients set email = null where id = $1', client.id);

    const { result } = await mailed(business, message.body.id);

    assert.deepEqual(result, { outcome: 'given_up', reason: 'recipient_gone' });
    assert.equal((await listed(business, id)).data[0].mailStatus, 'FAILED');
  });

  it('POST on an expired quote answers 201', async () => {
    const business = await build.business();
    const { id } = await build.sentQuote(business);
    await build.patchQuote(business, id, { expiresAt: new Date(Date.now() - 1_000) });

    assert.equal((await write(business, id)).status, 201);
  });

  it('POST answers 400 «El cliente no tiene correo electrónico» for a client without an address', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner, { email: null });
    const { id } = await build.quote(business.owner, { clientId });

    const res = await write(business, id);

    assert.deepEqual([res.status, res.body.error], [400, 'El cliente no tiene correo electrónico']);
  });

  it('POST takes 2,000 emoji, and answers 400 for 2,001 and for none', async () => {
    const business = await build.business();
    const { id } = await build.sentQuote(business);

    assert.equal((await write(business, id, { body: '🙂'.repeat(2_000) })).status, 201);
    for (const body of ['🙂'.repeat(2_001), ' ', undefined])
      assert.equal((await write(business, id, { body })).status, 400);
  });

  it('both answer 404 for the quote of a colleague, and of another business', async () => {
    const business = await build.business();
    const { as } = await build.member(business);
    const { id } = await build.sentQuote(business);
    const { owner } = await build.business();

    for (const who of [as, owner]) {
      assert.equal((await app.get(`/api/quotes/${id}/messages`, who)).status, 404);
      assert.equal((await app.post(`/api/quotes/${id}/messages`, { body: BODY }, who)).status, 404);
    }
  });

  it('a repeated Idempotency-Key answers 201 with the same message, which is mailed once', async () => {
    const business = await build.business();
    const { id } = await build.sentQuote(business);
    const headers = { 'Idempotency-Key': newId() };

    const [first, again] = [
      await write(business, id, { body: BODY }, headers),
      await write(business, id, { body: BODY }, headers),
    ];

    assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
    assert.equal((await listed(business, id)).total, 1);
  });

  it('of four at the same moment after eighteen on that day two are written, and the others answer 429', async () => {
    const business = await build.business();
    const { id } = await build.sentQuote(business);
    await rows(
      `insert into quote_messages (id, tenant_id, quote_id, direction, user_id, body, version, created_at)
       select $2 || n, $1, $2, 'outbound', $3, 'Antes', 1, now() from generate_series(1, 18) n`,
      business.tenantId,
      id,
      business.userId,
    );

    const responses = await Promise.all([1, 2, 3, 4].map(() => write(business, id)));

    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 201, 429, 429],
    );
    assert.equal((await listed(business, id)).total, 20);
  });

  it('POST beyond the mail quota answers 429 with Retry-After and writes nothing', async () => {
    const limited = await ownService({ RATE_LIMITS: 'on', RATE_MAIL_PER_HOUR: '1', RATE_MAIL_PER_DAY: '1' });
    const business = await build.business();
    const { id } = await build.sentQuote(business);
    await limited.post(`/api/quotes/${id}/messages`, { body: BODY }, business.owner);

    const res = await limited.post(`/api/quotes/${id}/messages`, { body: BODY }, business.owner);

    assert.equal(res.status, 429);
    assert.ok(Number(res.headers.get('Retry-After')) > 0);
    assert.equal((await listed(business, id)).total, 1);
  });
});
