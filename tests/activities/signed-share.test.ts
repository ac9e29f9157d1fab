import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDocumentActivities } from '../../activities/documents.ts';
import { createMailActivities } from '../../activities/mail.ts';
import { createActivityPermits } from '../../activities/permits.ts';
import { TooSlow } from '../../activities/deadline.ts';
import { readWorkerConfig, type WorkerConfig } from '../../adapters/config.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import type { SignedPdfLost } from '../../adapters/signed-pdf.ts';
import { newId } from '../../db/ids.ts';
import type { ShareInput } from '../../workflows/contract.ts';
import * as build from '../api/build.ts';
import { type Service, service } from '../api/service.ts';
import { needs, testStack } from '../stack.ts';

needs('temporal', 'storage', 'inbox');

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe('The share of a signed quote', () => {
  let app: Service;
  let config: WorkerConfig;
  const lost: SignedPdfLost[] = [];
  before(async () => {
    app = await service();
    config = readWorkerConfig((await testStack()).env);
  });
  beforeEach(() => (lost.length = 0));

  function run<Result>(step: () => Promise<Result>): Promise<Result> {
    const scheduledTimestampMs = Date.now();
    const times = { scheduledTimestampMs, currentAttemptScheduledTimestampMs: scheduledTimestampMs };
    return new MockActivityEnvironment(times).run<[], Result, typeof step>(step);
  }

  const activities = () => {
    const deps = { ...app.deps, reportLoss: (error: SignedPdfLost) => void lost.push(error) };
    const mailer = createMailer(config);
    const mail = createMailActivities({
      ...deps,
      permits: createActivityPermits(),
      mailer,
      mailFrom: config.MAIL_FROM,
      publicUrl: config.PUBLIC_URL,
    });
    return { ...createDocumentActivities(deps), ...mail };
  };

  async function signed() {
    const business = await build.business({ bankInfo: '{"bankName":"Banco del Centro"}' });
    const client = await build.client(business.owner);
    const { id, portal } = await build.sentQuote(business, { clientId: client.id });
    assert.equal((await app.post(`${portal}/accept`, build.SIGNER)).status, 200);
    const evidence = (await app.get(`/api/quotes/${id}/signature/evidence`, business.owner)).body;
    const input: ShareInput = {
      quote: { tenantId: business.tenantId, quoteId: id },
      shareId: newId(),
      by: { kind: 'user', userId: business.userId },
      requestId: null,
    };
    return { business, input, email: client.email, pdfSha256: String(evidence.pdfSha256) };
  }

  /** The hash of the document in each mail to the address, newest first. */
  async function mailedTo(email: string): Promise<readonly string[]> {
    const { inbox } = await testStack();
    const mails = (await inbox.messages()).filter(({ to }) => to.includes(email));
    return Promise.all(
      mails.map(async ({ id }) => {
        const file = await fetch(`${inbox.apiUrl}/${id}/attachments/0`);
        return sha256(Buffer.from(await file.arrayBuffer()));
      }),
    );
  }

  async function share(input: ShareInput, tries = 3): Promise<boolean> {
    const steps = activities();
    const { storageKey } = await run(() => steps.ensureQuotePdf(input.quote));
    try {
      return (await run(() => steps.sendQuoteMail({ ...input, shareId: newId(), storageKey }))).mailed;
    } catch (error) {
      // The machine is busy; nothing was sent.
      if (tries === 0 || !(error instanceof TooSlow)) throw error;
      return share(input, tries - 1);
    }
  }

  it('mails the bytes that were signed, before and after changes of settings, plan and client', async () => {
    const { business, input, email, pdfSha256 } = await signed();
    const changes = [
      {},
      { companyName: 'Negocio Renombrado', bankInfo: null },
      { pdfBranding: '{"primaryColor":"#c00000","paperSize":"LETTER"}' },
      { plan: 'FREE' as const },
    ];

    for (const change of changes) {
      if (Object.keys(change).length > 0) await build.patchTenant(business, change);
      assert.equal(await share(input), true);
    }

    const hashes = await mailedTo(email);
    assert.equal(hashes.length, changes.length);
    assert.deepEqual(new Set(hashes), new Set([pdfSha256]));
    assert.deepEqual(lost, []);
  });

  const isNonRetryable = (error: unknown) =>
    error instanceof ApplicationFailure && error.type === 'DocumentUnavailable' && error.nonRetryable === true;

  for (const [loss, lose] of [
    ['missing', (key: string) => app.deps.storage.remove(key)],
    ['altered', (key: string) => app.deps.storage.put(key, Buffer.from('%PDF-1.7 otro'), 'application/pdf')],
  ] as const) {
    it(`a share sends nothing, fails without a retry and reports the loss when the document is ${loss}`, async () => {
      const { input, email } = await signed();
      const { storageKey } = await run(() => activities().ensureQuotePdf(input.quote));
      await lose(storageKey);

      await assert.rejects(run(() => activities().ensureQuotePdf(input.quote)), isNonRetryable); // prettier-ignore
      await assert.rejects(run(() => activities().sendQuoteMail({ ...input, storageKey })), isNonRetryable); // prettier-ignore

      assert.deepEqual(lost.map((error) => error.loss), [loss, loss]); // prettier-ignore
      assert.deepEqual(await mailedTo(email), []);
    });
  }
});
