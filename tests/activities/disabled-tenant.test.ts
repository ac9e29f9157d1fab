import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAccountMailActivities } from '../../activities/account-mail.ts';
import { createDocumentActivities } from '../../activities/documents.ts';
import { createExpiryActivities } from '../../activities/expiry.ts';
import { createMailActivities } from '../../activities/mail.ts';
import { createActivityPermits } from '../../activities/permits.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { newId } from '../../db/ids.ts';
import { disableTenant, enableTenant } from '../../db/writes/disable-tenant.ts';
import { smtpServer } from '../adapters/mail-servers.ts';
import * as build from '../api/build.ts';
import { type Service, service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';
import '../workflows/quiet.ts';
import { isNonRetryable } from './automation-world.ts';

needs('storage');

const MAIL_FROM = 'avisos@example.com';

/** Steps whose executions were under way when an operator disabled their business. */
describe('Mails of a disabled business', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const steps = (SMTP_URL: string) => {
    const deps = {
      ...app.deps,
      reportLoss: () => undefined,
      mailer: createMailer({ SMTP_URL, MAIL_FROM }),
      mailFrom: MAIL_FROM,
      mailQuota: null,
      publicUrl: 'https://cotiza.example.com',
      permits: createActivityPermits(),
    };
    return {
      ...createAccountMailActivities(deps),
      ...createDocumentActivities(deps),
      ...createExpiryActivities(deps),
      ...createMailActivities(deps),
    };
  };
  function run<Result>(step: () => Promise<Result>): Promise<Result> {
    const scheduledTimestampMs = Date.now();
    const times = { scheduledTimestampMs, currentAttemptScheduledTimestampMs: scheduledTimestampMs };
    return new MockActivityEnvironment(times).run<[], Result, typeof step>(step);
  }
  const disable = ({ tenantId }: build.Business) => app.deps.withTenant(tenantId, disableTenant);
  const enable = ({ tenantId }: build.Business) => app.deps.withTenant(tenantId, enableTenant);

  it('a share fails for good and mails nothing', async () => {
    const server = await smtpServer();
    const business = await build.business();
    const { id: quoteId } = await build.quote(business.owner);
    const quote = { tenantId: business.tenantId, quoteId };
    const by = { kind: 'user', userId: business.userId } as const;
    const share = async () => {
      const { storageKey } = await steps(server.url).ensureQuotePdf(quote);
      return run(() => steps(server.url).sendQuoteMail({ quote, shareId: newId(), by, requestId: null, storageKey }));
    };

    await disable(business);
    await assert.rejects(share(), isNonRetryable('QuoteGone'));
    assert.equal(server.received.length, 0);
    await enable(business);
    assert.deepEqual(await share(), { mailed: true });

    await server.stop();
  });

  it('the reminder of an expiry is not mailed', async () => {
    const server = await smtpServer();
    const business = await build.business();
    const { id: quoteId } = await build.sentQuote(business);
    const ref = { tenantId: business.tenantId, quoteId, version: 1 };
    const { remindAt } = (await steps(server.url).planExpiry(ref)) ?? {};
    await steps(server.url).takeReminder({ ...ref, at: remindAt ?? '' });
    const remind = () => run(() => steps(server.url).sendExpiryMail(ref));

    await disable(business);
    assert.deepEqual(await remind(), { mailed: false });
    assert.equal(server.received.length, 0);
    await enable(business);
    assert.deepEqual(await remind(), { mailed: true });

    await server.stop();
  });

  it('mails about accounts and answers that wait are given up', async () => {
    const server = await smtpServer();
    const business = await build.business();
    const { portal } = await build.sentQuote(business);
    await app.post(`${portal}/accept`, build.SIGNER);
    await app.post('/api/auth/forgot-password', { email: business.email });
    await disable(business);

    const mails = await rows('select id from mails where tenant_id = $1', business.tenantId);
    const results = await Promise.all(
      mails.map(({ id }) =>
        run(() => steps(server.url).sendAccountMail({ tenantId: business.tenantId, mailId: String(id) })),
      ),
    );

    assert.ok(results.length >= 3, String(results.length));
    assert.deepEqual(
      results,
      mails.map(() => ({ outcome: 'given_up', reason: 'recipient_gone' })),
    );
    assert.equal(server.received.length, 0);
    await server.stop();
  });
});
