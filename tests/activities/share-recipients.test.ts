import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDocumentActivities } from '../../activities/documents.ts';
import { createExpiryActivities } from '../../activities/expiry.ts';
import { createMailActivities } from '../../activities/mail.ts';
import { createActivityPermits } from '../../activities/permits.ts';
import { createRecordActivities } from '../../activities/records.ts';
import { TooSlow } from '../../activities/deadline.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { newId } from '../../db/ids.ts';
import { QuoteShare } from '../../db/models/quote-share.ts';
import type { ShareRecipients } from '../../domain/share.ts';
import type { ShareInput } from '../../workflows/contract.ts';
import * as build from '../api/build.ts';
import { type Service, service } from '../api/service.ts';
import { rows } from '../worker/dispatcher-world.ts';
import { needs, testStack } from '../stack.ts';
import { isNonRetryable } from './automation-world.ts';

needs('temporal', 'storage', 'inbox');

describe('The recipients of a share', () => {
  let app: Service;
  let business: build.Business;
  let steps: Awaited<ReturnType<typeof activities>>;
  before(async () => {
    app = await service();
    business = await build.business();
    steps = await activities();
  });

  async function activities() {
    const config = readWorkerConfig((await testStack()).env);
    const deps = {
      ...app.deps,
      reportLoss: () => undefined,
      mailer: createMailer(config),
      mailFrom: config.MAIL_FROM,
      mailQuota: { perHour: 100, perDay: 100 },
      publicUrl: config.PUBLIC_URL,
      permits: createActivityPermits(),
    };
    return {
      ...createDocumentActivities(deps),
      ...createMailActivities(deps),
      ...createRecordActivities(deps),
      ...createExpiryActivities(deps),
    };
  }

  function run<Result>(step: () => Promise<Result>): Promise<Result> {
    const scheduledTimestampMs = Date.now();
    const times = { scheduledTimestampMs, currentAttemptScheduledTimestampMs: scheduledTimestampMs };
    return new MockActivityEnvironment(times).run<[], Result, typeof step>(step);
  }

  const address = (what = 'persona') => `${what}@${newId()}.test`;
  const person = (of = address()) => ({ name: 'Ana', address: of });
  const mailsTo = async (to: string) =>
    (await (await testStack()).inbox.messages()).filter((mail) => mail.to.includes(to));

  async function startShare(recipients: ShareRecipients | null, message: string | null = null) {
    const client = await build.client(business.owner);
    const { id: quoteId } = await build.quote(business.owner, { clientId: client.id });
    const { tenantId, userId } = business;
    const shareId = newId();
    const row = { id: shareId, tenantId, quoteId, clientId: client.id, message };
    await app.deps.withTenant(tenantId, (trx) =>
      QuoteShare.query(trx).insert({ ...row, recipients: recipients && JSON.stringify(recipients) }),
    );
    const input: ShareInput = {
      quote: { tenantId, quoteId },
      shareId,
      by: { kind: 'user', userId },
      requestId: null,
    };
    return { client, input, ref: { tenantId, quoteId, version: 1 } };
  }

  async function mail(input: ShareInput, tries = 3): ReturnType<typeof steps.sendQuoteMail> {
    const { storageKey } = await run(() => steps.ensureQuotePdf(input.quote));
    try {
      return await run(() => steps.sendQuoteMail({ ...input, storageKey }));
    } catch (error) {
      // The machine is busy; nothing was sent.
      if (tries === 0 || !(error instanceof TooSlow)) throw error;
      return mail(input, tries - 1);
    }
  }

  /** Mails the share and records it, as the workflow does. */
  async function complete(input: ShareInput): Promise<void> {
    const { rejected } = await mail(input);
    await run(() => steps.markQuoteSent({ ...input, ...(rejected && { rejected }) }));
  }

  /** Sends the reminder of the quote's first version now. */
  async function remind(ref: { tenantId: string; quoteId: string; version: number }) {
    await steps.planExpiry(ref);
    await rows("update expiry_reminders set reminded_at = now(), mail = 'PENDING' where quote_id = $1", ref.quoteId);
    return run(() => steps.sendExpiryMail(ref));
  }

  it('get the mail, with the positions of the refused ones, and not again once it is recorded', async () => {
    const [one, bad, copy] = [person(), person(address('reject+550')), person()];
    const { input } = await startShare({ to: [bad, one], cc: [copy] }, 'Hola');

    const first = await mail(input);
    await run(() => steps.markQuoteSent({ ...input, rejected: first.rejected ?? [] }));
    const second = await mail(input);

    assert.deepEqual([first, second], [{ mailed: true, rejected: [0] }, { mailed: true }]);
    assert.equal((await mailsTo(one.address)).length, 1);
    const [row] = await rows('select status, rejected from quote_shares where id = $1', input.shareId);
    assert.deepEqual(row, { status: 'SENT', rejected: [0] });
  });

  it('get no quote of another client: a permanent failure, and no mail', async () => {
    const one = person();
    const { input } = await startShare({ to: [one], cc: [] });
    const other = await build.client(business.owner);
    await build.patchQuote(business, input.quote.quoteId, { clientId: other.id });

    await assert.rejects(mail(input), isNonRetryable('ClientChanged'));

    assert.deepEqual(await mailsTo(one.address), []);
  });

  it('are the client of the quote as it is now, when the share names none', async () => {
    const { input } = await startShare(null);
    const other = await build.client(business.owner);
    await build.patchQuote(business, input.quote.quoteId, { clientId: other.id });

    assert.deepEqual(await mail(input), { mailed: true });

    assert.equal((await mailsTo(other.email)).length, 1);
  });

  it('get the reminder too: the accepted `to` of the last share, each counted as a mail', async () => {
    const [one, two, bad, copy] = [person(), person(), person(address('reject+550')), person()];
    const { client, input, ref } = await startShare({ to: [one, bad, two], cc: [copy] });
    await complete(input);
    const counted = async () =>
      (await rows('select sum(mails)::int as mails from mail_counts where tenant_id = $1', business.tenantId))[0]?.[
        'mails'
      ];
    const before = Number(await counted());

    assert.deepEqual(await remind(ref), { mailed: true });

    const [reminder] = await mailsTo(one.address);
    assert.deepEqual(reminder?.to, [one.address, two.address]);
    assert.equal((await mailsTo(copy.address)).length, 1);
    assert.deepEqual(await mailsTo(client.email), []);
    assert.equal(Number(await counted()) - before, 2);
  });

  it('of a share before a revision for another client get no reminder: it goes to the new client', async () => {
    const one = person();
    const { input, ref } = await startShare({ to: [one], cc: [] });
    await complete(input);
    const other = await build.client(business.owner);
    await build.patchQuote(business, input.quote.quoteId, { clientId: other.id, linkWithheld: true });

    const withheld = await remind(ref);
    await build.patchQuote(business, input.quote.quoteId, { linkWithheld: false });
    const shared = await remind(ref);

    assert.deepEqual([withheld, shared], [{ mailed: false }, { mailed: true }]);
    assert.equal((await mailsTo(one.address)).length, 1);
    assert.equal((await mailsTo(other.email)).length, 1);
  });
});
