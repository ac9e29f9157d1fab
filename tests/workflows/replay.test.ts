import assert from 'node:assert/strict';
import { type ReplayWorkerOptions, Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { kebab, personalData } from '../../ops/history-file.ts';
import { workflowBundlePath } from '../../worker/workflow-bundle.ts';
import { type CommittedHistory, committedHistories } from './committed.ts';
import './quiet.ts';
import { bundleWith } from './variant.ts';

/**
 * Open executions continue in the code of a new version, which must make the same decisions. The histories were
 * recorded from real executions (`record-histories.ts`); each change of a released workflow adds one.
 */
const all = committedHistories();

/** The replay error of each history, by file: of one workflow or, under "", of all. */
async function replay(
  workflowBundle: NonNullable<ReplayWorkerOptions['workflowBundle']>,
  of = '',
  options: Pick<ReplayWorkerOptions, 'sinks'> = {},
) {
  const errors: Record<string, Error | undefined> = {};
  const wanted = all.filter(({ file }) => file.startsWith(of));
  const files = wanted.map(({ file }) => file);
  for await (const { error } of Worker.runReplayHistories({ ...options, workflowBundle }, wanted)) {
    errors[files.shift() ?? ''] = error;
  }
  return errors;
}

/** The histories that diverge from the code. Any error but a nondeterminism violation fails the test. */
const violated = (errors: Awaited<ReturnType<typeof replay>>): string[] =>
  Object.entries(errors).flatMap(([file, error]) => {
    if (error === undefined) return [];
    assert.ok(error instanceof DeterminismViolationError, `${file}: ${error.message}`);
    return [file];
  });

const typeOf = ({ history }: CommittedHistory): string =>
  history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '';

describe('committed histories', () => {
  let today: Awaited<ReturnType<typeof replay>>;
  before(async () => {
    today = await replay({ codePath: await workflowBundlePath() });
  });

  for (const { file } of all) {
    it(`${file} replays in the current code`, () => {
      assert.ok(file in today, 'it was not replayed');
      assert.equal(today[file], undefined);
    });
  }

  it('replay in the tracing bundle, too: tracing may be switched on at any time', async () => {
    // Where its spans go.
    const sinks = { exporter: { export: { fn: () => undefined } } };
    const traced = await replay({ codePath: await workflowBundlePath({ isTraced: true }) }, '', { sinks });

    assert.equal(Object.keys(traced).length, all.length);
    assert.deepEqual(violated(traced), []);
  });

  it('exist for every workflow, each named after its workflow', async () => {
    const workflows = Object.keys(await import('../../workflows/index.ts'));

    assert.deepEqual([...new Set(all.map(typeOf))].toSorted(), workflows.toSorted());
    assert.deepEqual(
      all.filter((one) => !one.file.startsWith(`${kebab(typeOf(one))}.`)).map(({ file }) => file),
      [],
    );
  });

  it('cover the main paths of each workflow', () => {
    assert.deepEqual(
      all.map(({ file }) => file),
      [
        'deliver-webhook.cancelled.json',
        'deliver-webhook.delivered-after-a-failure.json',
        'deliver-webhook.exhausted.json',
        'deliver-webhook.gone.json',
        'deliver-webhook.skipped.json',
        'expiry-reminder.expired.json',
        'expiry-reminder.followed-up-and-won.json',
        'expiry-reminder.followed-up-reminded-and-expired.json',
        'expiry-reminder.mail-refused.json',
        'expiry-reminder.moved-reminded-and-expiring.json',
        'expiry-reminder.revised-and-won.json',
        'expiry-reminder.won.json',
        'housekeeping.cleared.json',
        'housekeeping.one-chore-failed.json',
        'housekeeping.sealed.json',
        'import-records.completed.json',
        'quote-lifecycle.continued-as-new.json',
        'quote-lifecycle.continued-then-shared.json',
        'quote-lifecycle.expired.json',
        'quote-lifecycle.partly-refused.json',
        'quote-lifecycle.refused-and-closed.json',
        'quote-lifecycle.refused-then-shared.json',
        'quote-lifecycle.shared-and-won.json',
        'quote-lifecycle.shared-twice-and-won.json',
        'quote-lifecycle.won-and-shared-again.json',
        'remind.cancelled.json',
        'remind.fired.json',
        'reschedule-reminders.continued-as-new.json',
        'reschedule-reminders.done.json',
        'reschedule-reminders.superseded.json',
        'run-automation.delayed-and-completed.json',
        'run-automation.delayed-and-skipped.json',
        'run-automation.every-action.json',
        'run-automation.failed.json',
        'send-mail.given-up.json',
        'send-mail.sent.json',
      ],
    );
  });

  it('contain no personal data and nothing of the machine that recorded them', () => {
    assert.deepEqual(
      all.flatMap(({ file, text }) => personalData(text).map((finding) => `${file} ${finding}`)),
      [],
    );
    assert.deepEqual(
      all.filter(({ text }) => /"\d+@|\/(home|work|root|Users)\//.test(text)).map(({ file }) => file),
      [],
    );
  });

  describe('diverge from code that', () => {
    /** Each change concerns another workflow. */
    let changed: WorkflowBundleWithSourceMap;
    before(async () => {
      changed = await bundleWith({
        'workflows/send-quote.ts': (source) =>
          source
            .replace('documentActivities.ensureQuotePdf', 'STORE')
            .replace('mailActivities.sendQuoteMail', 'documentActivities.ensureQuotePdf')
            .replace('STORE', 'mailActivities.sendQuoteMail'),
        'workflows/deliver-webhook.ts': (source) =>
          source
            .replace(
              'import { deliveryActivities }',
              "import { sleep } from '@temporalio/workflow';\nimport { deliveryActivities }",
            )
            .replace('  deliveryActivities.deliver', "  sleep('1s').then(() => deliveryActivities.deliver")
            .replace('[delivery]);', '[delivery]));'),
        'workflows/reschedule-reminders.ts': (source) =>
          source.replace('await sleep(pauseMs', 'if (pauseMs > Infinity) await sleep(pauseMs'),
        'workflows/run-automation.ts': (source) => source.replace('if (waitMs > 0)', 'if (waitMs > Infinity)'),
        'workflows/expiry-reminder.ts': (source) =>
          source.replace('if (schedule.mailWaits)', 'if (!schedule.mailWaits)'),
      });
    });

    it('mails before it stores the PDF', async () => {
      const errors = await replay(changed, 'quote-lifecycle.');

      // All that shared.
      assert.deepEqual(violated(errors), [
        'quote-lifecycle.continued-then-shared.json',
        'quote-lifecycle.partly-refused.json',
        'quote-lifecycle.refused-then-shared.json',
        'quote-lifecycle.shared-and-won.json',
        'quote-lifecycle.shared-twice-and-won.json',
        'quote-lifecycle.won-and-shared-again.json',
      ]);
      assert.match(String(errors['quote-lifecycle.shared-and-won.json']), /ensureQuotePdf|sendQuoteMail/);
    });

    it('waits before it delivers', async () => {
      const errors = await replay(changed, 'deliver-webhook.');

      assert.deepEqual(violated(errors), Object.keys(errors));
    });

    it('requests the next page without a pause', async () => {
      const errors = await replay(changed, 'reschedule-reminders.');

      // The third has one page.
      assert.deepEqual(violated(errors), [
        'reschedule-reminders.continued-as-new.json',
        'reschedule-reminders.superseded.json',
      ]);
    });

    it('acts before its delay is over, or mails an unclaimed reminder', async () => {
      const errors = {
        ...(await replay(changed, 'run-automation.delayed')),
        ...(await replay(changed, 'expiry-reminder.')),
      };

      assert.deepEqual(violated(errors), Object.keys(errors));
      assert.ok(Object.keys(errors).length >= 6, 'all that waited');
    });
  });
});
