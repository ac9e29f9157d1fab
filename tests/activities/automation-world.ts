import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { ActionRef } from '../../activities/automation-action.ts';
import { createAutomationMailActivities } from '../../activities/automation-mail.ts';
import { createAutomationRecordActivities } from '../../activities/automation-records.ts';
import { createAutomationRunActivities } from '../../activities/automation-runs.ts';
import { createAutomationWebhookActivities } from '../../activities/automation-webhook.ts';
import { createReminderActivities } from '../../activities/reminders.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import type { Log } from '../../adapters/log.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { newId } from '../../db/ids.ts';
import { Automation } from '../../db/models/automation.ts';
import { AutomationLog } from '../../db/models/automation-log.ts';
import type { AutomationAction, Trigger } from '../../domain/automation.ts';
import type { Condition } from '../../domain/conditions.ts';
import type { MailQuota } from '../../domain/mail-quota.ts';
import type { Business } from '../api/build.ts';
import { service } from '../api/service.ts';
import { needs, testStack } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';
import { createActivityPermits } from '../../activities/permits.ts';

needs('temporal', 'storage', 'inbox');

/** The workflow execution that its steps belong to. */
export const OWN_RUN = { workflowId: 'auto.a.e', runId: '0199a4b2-5c1e-7d3f-8a6b-2e4c6f8a0b1d' };

/** As a worker calls a step that asks which run it belongs to. */
const inActivity =
  <Args extends unknown[], Result>(step: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    new MockActivityEnvironment({ workflowExecution: OWN_RUN }).run<Args, Result, typeof step>(step, ...args);

/** All steps of automations and reminders, with the real parts. */
export async function automationSteps(mailQuota: MailQuota = null, log?: Log) {
  const { deps } = await service();
  const config = readWorkerConfig((await testStack()).env);
  const mailer = createMailer(config);
  const common = {
    withTenant: deps.withTenant,
    secrets: deps.secrets,
    publicUrl: config.PUBLIC_URL,
    log: log ?? deps.log,
  };
  const permits = createActivityPermits();
  const records = createAutomationRecordActivities(common);
  const mails = createAutomationMailActivities({ ...common, mailer, mailFrom: config.MAIL_FROM, mailQuota, permits });
  return {
    ...createAutomationRunActivities(common),
    ...records,
    moveQuote: inActivity((ref: ActionRef) => records.moveQuote(ref)),
    labelQuote: inActivity((ref: ActionRef) => records.labelQuote(ref)),
    sendAutomationEmail: inActivity(mails.sendAutomationEmail),
    /** As it is, for attempts that follow one another. */
    mails,
    ...createAutomationWebhookActivities({ ...common, outbound: createOutboundHttp(config), permits }),
    ...createReminderActivities(common),
  };
}

export interface RunFields {
  readonly actions: readonly AutomationAction[];
  readonly conditions?: readonly Condition[];
  readonly delayMinutes?: number;
  readonly trigger?: Trigger;
}

/** A run that was triggered by the quote's latest event, as the fan-out inserts it. */
export async function triggeredRun({ tenantId }: Business, quoteId: string, fields: RunFields) {
  const { deps } = await service();
  const { actions, conditions = [], delayMinutes = 0, trigger = 'QUOTE_CREATED' } = fields;
  const [event] = await rows(
    'select id from outbox_events where quote_id = $1 order by sequence desc limit 1',
    quoteId,
  );
  const [automationId, logId, eventId] = [newId(), newId(), String(event?.['id'])];
  const frozen = { conditions: JSON.stringify(conditions), actions: JSON.stringify(actions), delayMinutes };
  await deps.withTenant(tenantId, async (trx) => {
    await Automation.query(trx).insert({ id: automationId, tenantId, name: 'prueba', trigger, ...frozen });
    await AutomationLog.query(trx).insert({ id: logId, tenantId, automationId, quoteId, eventId, ...frozen });
  });
  return { automationId, eventId, run: { tenantId, logId }, first: { tenantId, logId, index: 0 } };
}

/** For assert.rejects: a failure that no repetition cures. */
export const isNonRetryable =
  (type: string, message?: string) =>
  (error: unknown): boolean =>
    error instanceof ApplicationFailure &&
    error.type === type &&
    error.nonRetryable === true &&
    (message === undefined || error.message === message);
