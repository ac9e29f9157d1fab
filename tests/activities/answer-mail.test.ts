import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAccountMailActivities } from '../../activities/account-mail.ts';
import { createActivityPermits } from '../../activities/permits.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import type { Deps } from '../../api/deps.ts';
import type { MailRef } from '../../workflows/contract.ts';
import type { MailQuota } from '../../domain/mail-quota.ts';
import { refusal, smtpServer } from '../adapters/mail-servers.ts';
import * as build from '../api/build.ts';
import { type Service, service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';

needs('storage');

const MAIL_FROM = 'avisos@example.com';

/** The mails about a client's answer, as the activity sends them, to a real mail server. */
describe('Mails about an answer', () => {
  let app: Service;
  let deps: Deps;
  before(async () => {
    app = await service();
    ({ deps } = app);
  });

  type Server = Awaited<ReturnType<typeof smtpServer>>;
  const steps = ({ url: SMTP_URL }: Pick<Server, 'url'>, mailQuota: MailQuota = null) =>
    createAccountMailActivities({
      ...deps,
      mailQuota,
      mailer: createMailer({ SMTP_URL, MAIL_FROM }),
      mailFrom: MAIL_FROM,
      publicUrl: 'https://cotiza.example.com',
      permits: createActivityPermits(),
    });
  const run = <Result>(step: () => Promise<Result>): Promise<Result> =>
    new MockActivityEnvironment({ scheduledTimestampMs: Date.now() }).run<[], Result, typeof step>(step);

  async function mailsOf(
    { tenantId }: build.Business,
    quoteId: string,
  ): Promise<readonly (MailRef & { kind: string })[]> {
    const found = await rows('select id, kind from mails where quote_id = $1 order by kind, user_id', quoteId);
    return found.map(({ id, kind }) => ({ tenantId, mailId: String(id), kind: String(kind) }));
  }

  it('of an acceptance go to the creator, each owner and the signer, with the signed document of the evidence', async () => {
    const server = await smtpServer();
    const business = await build.business();
    const { as } = await build.member(business);
    const { id, portal } = await build.sentQuote({ ...business, owner: as });
    await app.post(`${portal}/accept`, build.SIGNER);

    const mails = await mailsOf(business, id);
    for (const mail of mails)
      assert.deepEqual(await run(() => steps(server).sendAccountMail(mail)), { outcome: 'sent' });
    await server.stop();

    assert.deepEqual(
      mails.map(({ kind }) => kind),
      ['answer_member', 'answer_member', 'answer_signer'],
    );
    const [signature] = await rows('select pdf_sha256 from signatures where quote_id = $1', id);
    const hashes = server.received.map(({ mail }) =>
      createHash('sha256')
        .update(mail.attachments.find(({ contentType }) => contentType === 'application/pdf')?.content ?? '')
        .digest('hex'),
    );
    assert.deepEqual(new Set(hashes), new Set([signature?.['pdf_sha256']]));
    assert.deepEqual(
      server.received.map(({ mail }) => mail.messageId),
      mails.map(({ mailId }) => `<answer.${mailId}@example.com>`),
    );
    const recipients = server.received.map(({ recipients: [to] }) => to);
    assert.equal(new Set(recipients).size, 3);
    assert.equal(recipients.at(-1), build.SIGNER.signerEmail);
  });

  it('of a rejection go to the owner with the reason, and to no signer', async () => {
    const server = await smtpServer();
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`${portal}/reject`, { reason: 'Encontramos un mejor precio' });

    const [mail, ...others] = await mailsOf(business, id);
    assert.ok(mail);
    await run(() => steps(server).sendAccountMail(mail));
    await server.stop();

    assert.deepEqual([mail.kind, others], ['answer_member', []]);
    const [received] = server.received;
    assert.match(received?.mail.subject ?? '', /rechazó la cotización COT-1$/);
    assert.match(received?.mail.text ?? '', /Motivo: Encontramos un mejor precio/);
  });

  it('of an acceptance go to the signer only while notifyOnAnswer is false', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    const res = await app.request('PUT', '/api/settings', { headers: business.owner, body: { notifyOnAnswer: false } });
    assert.equal(res.body.data.notifyOnAnswer, false);

    await app.post(`${portal}/accept`, build.SIGNER);

    assert.deepEqual(
      (await mailsOf(business, id)).map(({ kind }) => kind),
      ['answer_signer'],
    );
  });

  it('to the owner is sent although the server refuses the address of the signer', async () => {
    const server = await smtpServer({
      onRcptTo({ address }, _session, callback) {
        callback(address === build.SIGNER.signerEmail ? refusal(550, 'no such user') : null);
      },
    });
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`${portal}/accept`, build.SIGNER);
    const [toOwner, toSigner] = await mailsOf(business, id);
    assert.ok(toOwner && toSigner);

    await assert.rejects(
      run(() => steps(server).sendAccountMail(toSigner)),
      (error) => error instanceof ApplicationFailure && error.type === 'SmtpRefused',
    );
    assert.deepEqual(await run(() => steps(server).sendAccountMail(toOwner)), { outcome: 'sent' });
    await server.stop();
  });

  it('over the quota of the business wait, and are skipped once they were closed', async () => {
    const server = await smtpServer();
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`${portal}/accept`, build.SIGNER);
    const [first, second] = await mailsOf(business, id);
    assert.ok(first && second);
    const mails = steps(server, { perHour: 1, perDay: 1 });
    await run(() => mails.sendAccountMail(first));

    await assert.rejects(
      run(() => mails.sendAccountMail(second)),
      (error) =>
        error instanceof ApplicationFailure && error.type === 'MailQuotaReached' && error.nonRetryable !== true,
    );
    await run(() => mails.closeMail({ ...first, failure: null }));
    assert.deepEqual(await run(() => mails.sendAccountMail(first)), { outcome: 'skipped' });
    await server.stop();
    assert.equal(server.received.length, 1);
  });

  it('are given up for a member who is no longer active', async () => {
    const server = await smtpServer();
    const business = await build.business();
    const { as, userId } = await build.member(business);
    const { id, portal } = await build.sentQuote({ ...business, owner: as });
    await app.post(`${portal}/reject`, {});
    await rows('update users set is_active = false where id = $1', userId);
    const [found] = await rows('select id from mails where quote_id = $1 and user_id = $2', id, userId);

    const mail = { tenantId: business.tenantId, mailId: String(found?.['id']) };
    assert.deepEqual(await run(() => steps(server).sendAccountMail(mail)), {
      outcome: 'given_up',
      reason: 'recipient_gone',
    });
    await server.stop();
  });
});
