import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { newId } from '../../db/ids.ts';
import * as build from '../api/build.ts';
import { awayFromTheHour } from '../api/mail-hour.ts';
import { needs, testStack } from '../stack.ts';
import { automationSteps, triggeredRun } from './automation-world.ts';
import { capturedLog } from '../captured-log.ts';

needs('temporal', 'storage', 'inbox');

const isPassing = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === 'MailQuotaReached' && error.nonRetryable !== true;

describe('mails of automations beyond what a business may send', () => {
  beforeEach(awayFromTheHour);

  const mailing = async (business: build.Business, customEmail: string) => {
    const quote = await build.quote(business.owner);
    const action = { type: 'send_email', to: 'custom', customEmail, subject: 'Hola', body: 'Hola' } as const;
    return triggeredRun(business, quote.id, { actions: [action] });
  };
  const mailsTo = async (address: string) =>
    (await (await testStack()).inbox.messages()).filter(({ to }) => to.includes(address)).length;

  it('are not sent, and are tried again later: the failure is none for good', async () => {
    const business = await build.business();
    const steps = await automationSteps({ perHour: 2, perDay: 100 });
    const address = `${newId()}@lejos.test`;
    const runs = [await mailing(business, address), await mailing(business, address), await mailing(business, address)];

    await steps.sendAutomationEmail(runs[0]?.first ?? assert.fail());
    await steps.sendAutomationEmail(runs[1]?.first ?? assert.fail());
    await assert.rejects(steps.sendAutomationEmail(runs[2]?.first ?? assert.fail()), isPassing);

    assert.equal(await mailsTo(address), 2);
  });

  it('go out when there is room again, once', async () => {
    const business = await build.business();
    const address = `${newId()}@lejos.test`;
    const { first } = await mailing(business, address);
    await assert.rejects((await automationSteps({ perHour: 0, perDay: 100 })).sendAutomationEmail(first), isPassing);

    await (await automationSteps({ perHour: 1, perDay: 100 })).sendAutomationEmail(first);

    assert.equal(await mailsTo(address), 1);
  });

  it('have a line that says so, which names the business and nobody else', async () => {
    const business = await build.business();
    const { lines: written, log } = capturedLog();
    const { first } = await mailing(business, `${newId()}@lejos.test`);

    await assert.rejects((await automationSteps({ perHour: 0, perDay: 100 }, log)).sendAutomationEmail(first));

    assert.equal(written.length, 1);
    const { level, msg, reason, tenantId } = JSON.parse(String(written[0])) as Record<string, unknown>;
    assert.deepEqual(
      { level, msg, reason, tenantId },
      {
        level: 'warn',
        msg: 'mail put off: the business had its share for now',
        reason: 'quota',
        tenantId: business.tenantId,
      },
    );
    assert.doesNotMatch(String(written[0]), /lejos\.test|Hola/);
  });

  it('do not count while the mail server is away: what surely did not go out takes no room', async () => {
    const business = await build.business();
    const address = `${newId()}@lejos.test`;
    const { first } = await mailing(business, address);
    const { inbox } = await testStack();
    const steps = await automationSteps({ perHour: 1, perDay: 100 });
    inbox.setMode('hang');
    try {
      await assert.rejects(steps.sendAutomationEmail(first));
      await assert.rejects(steps.sendAutomationEmail(first));
    } finally {
      inbox.setMode('accept');
    }

    await steps.sendAutomationEmail(first);

    assert.equal(await mailsTo(address), 1);
  });
});
