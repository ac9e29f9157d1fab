import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { AccountMailActivities } from '../../activities/account-mail.ts';
import { workflowBundlePath } from '../../activities/workflow-bundle.ts';
import { newId } from '../../db/ids.ts';
import { ensureTool } from '../../dev/tools.ts';
import { mailStart, queues } from '../../workflows/contract.ts';
import type { sendMail } from '../../workflows/send-mail.ts';
import './quiet.ts';

const HOUR_MS = 60 * 60 * 1000;

type Send = AccountMailActivities['sendAccountMail'];

describe('sendMail', () => {
  let env: TestWorkflowEnvironment;
  let stop: () => Promise<void>;
  const sends = new Map<string, Send>();
  const closed = new Map<string, string | null>();

  before(async () => {
    const path = await ensureTool('temporal-test-server');
    env = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
    const activities: AccountMailActivities = {
      sendAccountMail: async (mail) => sends.get(mail.mailId)?.(mail) ?? { outcome: 'skipped' },
      closeMail: async ({ mailId, failure }) => void closed.set(mailId, failure),
    };
    const workflowBundle = { codePath: await workflowBundlePath() };
    const connection = env.nativeConnection;
    const worker = await Worker.create({ connection, taskQueue: queues.quotes, workflowBundle, activities });
    const running = worker.run();
    stop = async () => {
      worker.shutdown();
      await running;
    };
  });
  after(async () => {
    await stop();
    await env.teardown();
  });

  async function send(step: Send) {
    const mail = { tenantId: newId(), mailId: newId() };
    sends.set(mail.mailId, step);
    // As the dispatcher starts it, but for the search attributes, which this server does not know.
    const { typedSearchAttributes: _unknown, ...options } = mailStart(mail, null);
    const result = await env.client.workflow.execute<typeof sendMail>('sendMail', options);
    return { result, failure: closed.get(mail.mailId) };
  }

  it('sends and notes it', async () => {
    const { result, failure } = await send(async () => ({ outcome: 'sent' }));

    assert.deepEqual([result, failure], [{ outcome: 'sent' }, null]);
  });

  it('tries again for hours, in growing pauses of an hour at most, while the mail server is away', async () => {
    const times: number[] = [];

    const { result, failure } = await send(async () => {
      times.push(await env.currentTimeMs());
      if (times.length < 20) throw new Error('the mail server is not available');
      return { outcome: 'sent' };
    });

    assert.deepEqual([result, failure], [{ outcome: 'sent' }, null]);
    const pauses = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    assert.ok((pauses[0] ?? 0) < 10_000, `${pauses[0]} ms`);
    assert.ok(pauses.every((pause, i) => pause >= (pauses[i - 1] ?? 0) - 5_000));
    assert.ok((pauses.at(-1) ?? 0) <= HOUR_MS + 5_000);
    assert.ok((times.at(-1) ?? 0) - (times[0] ?? 0) > 6 * HOUR_MS);
  });

  it('gives up at once when the address is refused', async () => {
    let attempts = 0;

    const { result, failure } = await send(async () => {
      attempts += 1;
      throw ApplicationFailure.nonRetryable('refused', 'SmtpRefused');
    });

    assert.deepEqual([attempts, result, failure], [1, { outcome: 'given_up', reason: 'refused' }, 'refused']);
  });

  it('gives up when the activity has waited long enough', async () => {
    const { result, failure } = await send(async () => {
      throw ApplicationFailure.nonRetryable('away', 'SmtpUnavailable');
    });

    assert.deepEqual([result, failure], [{ outcome: 'given_up', reason: 'unavailable' }, 'unavailable']);
  });

  it('writes nothing about a mail that had ended before', async () => {
    const { result, failure } = await send(async () => ({ outcome: 'skipped' }));

    assert.deepEqual([result, failure], [{ outcome: 'skipped' }, undefined]);
  });
});
