import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { workflowBundlePath } from '../../activities/workflow-bundle.ts';
import './quiet.ts';
import { bundleChanged } from './variant.ts';

/**
 * Runs that are under way when a new version is installed go on in the new code, which must make the same decisions.
 * The histories were written by real runs; one joins them with every change of a workflow that is in use.
 */
const FOLDER = new URL('../histories/', import.meta.url);

async function histories(of: string) {
  const files = (await readdir(FOLDER)).filter((file) => file.startsWith(of) && file.endsWith('.json')).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const history = historyFromJSON(JSON.parse(await readFile(new URL(file, FOLDER), 'utf8')));
      // A lifecycle makes its child's id from its own.
      const workflowId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId || file;
      return { file, workflowId, history };
    }),
  );
}

/** The error of each history's replay, by file. */
async function replay(workflowBundle: NonNullable<ReplayWorkerOptions['workflowBundle']>, of = '') {
  const errors: Record<string, Error | undefined> = {};
  const all = await histories(of);
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, all)) {
    errors[all.find((one) => one.workflowId === workflowId)?.file ?? workflowId] = error;
  }
  return errors;
}

describe('Committed histories', function replaying() {
  this.timeout(60_000);

  it('replay in the code of today', async () => {
    const errors = await replay({ codePath: await workflowBundlePath() });

    assert.deepEqual(errors, {
      'deliver-webhook.delivered-after-a-failure.json': undefined,
      'deliver-webhook.gone.json': undefined,
      'expiry-reminder.moved-reminded-and-expiring.json': undefined,
      'expiry-reminder.won.json': undefined,
      'quote-lifecycle.refused-then-shared.json': undefined,
      'quote-lifecycle.shared-and-won.json': undefined,
      'quote-lifecycle.shared-with-reminder-and-won.json': undefined,
      'quote-lifecycle.won-and-shared-again.json': undefined,
      'remind.fired.json': undefined,
      'run-automation.delayed-and-completed.json': undefined,
      'run-automation.delayed-and-skipped.json': undefined,
      'run-automation.failed.json': undefined,
    });
  });

  it('fail in code that mails before it stores the PDF', async () => {
    const swapped = await bundleChanged('workflows/send-quote.ts', (source) =>
      source
        .replace('documents.ensureQuotePdf', 'STORE')
        .replace('mail.sendQuoteMail', 'documents.ensureQuotePdf')
        .replace('STORE', 'mail.sendQuoteMail'),
    );

    const errors = await replay(swapped, 'quote-lifecycle.');

    for (const [file, error] of Object.entries(errors)) {
      assert.ok(error instanceof DeterminismViolationError, `${file}: ${error?.message}`);
      assert.match(error.message, /ensureQuotePdf|sendQuoteMail/);
    }
    assert.equal(Object.keys(errors).length, 4);
  });

  it('fail in code that waits before it delivers', async () => {
    const waiting = await bundleChanged('workflows/deliver-webhook.ts', (source) =>
      source
        .replace('import { endpoint }', "import { sleep } from '@temporalio/workflow';\nimport { endpoint }")
        .replace('  endpoint.deliver', "  sleep('1s').then(() => endpoint.deliver")
        .replace('[delivery]);', '[delivery]));'),
    );

    const errors = await replay(waiting, 'deliver-webhook.');

    assert.equal(Object.keys(errors).length, 2);
    for (const [file, error] of Object.entries(errors)) {
      assert.ok(error instanceof DeterminismViolationError, `${file}: ${error?.message}`);
    }
  });

  it('of quotes that were sent before there was an expiry reminder fail in code that starts one without its patch', async () => {
    const unpatched = await bundleChanged('workflows/quote-lifecycle.ts', (source) =>
      source.replace(" && patched('expiry-reminder')", ''),
    );

    const errors = await replay(unpatched, 'quote-lifecycle.');

    assert.deepEqual(
      Object.entries(errors).map(([file, error]) => [file, error instanceof DeterminismViolationError]),
      [
        // Its mail was refused, then it was shared: SENT at its end.
        ['quote-lifecycle.refused-then-shared.json', true],
        ['quote-lifecycle.shared-and-won.json', true],
        // It has the marker in its history, and the code no longer says it.
        ['quote-lifecycle.shared-with-reminder-and-won.json', true],
        // Never SENT.
        ['quote-lifecycle.won-and-shared-again.json', false],
      ],
    );
  });

  it('fail in code that acts before its delay is over, or mails a reminder that nobody took', async () => {
    const hasty = await bundleChanged('workflows/run-automation.ts', (source) =>
      source.replace('if (waitMs > 0)', 'if (waitMs > Infinity)'),
    );
    const careless = await bundleChanged('workflows/expiry-reminder.ts', (source) =>
      source.replace('if (plan.mailWaits)', 'if (!plan.mailWaits)'),
    );

    const errors = {
      ...(await replay(hasty, 'run-automation.delayed')),
      ...(await replay(careless, 'expiry-reminder.')),
    };

    assert.equal(Object.keys(errors).length, 4);
    for (const [file, error] of Object.entries(errors)) {
      assert.ok(error instanceof DeterminismViolationError, `${file}: ${error?.message}`);
    }
  });
});
