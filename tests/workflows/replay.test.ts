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

async function histories() {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).toSorted();
  return Promise.all(
    files.map(async (file) => ({
      workflowId: file,
      history: historyFromJSON(JSON.parse(await readFile(new URL(file, FOLDER), 'utf8'))),
    })),
  );
}

/** The error of each history's replay, by file. */
async function replay(workflowBundle: NonNullable<ReplayWorkerOptions['workflowBundle']>) {
  const errors: Record<string, Error | undefined> = {};
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, await histories())) {
    errors[workflowId] = error;
  }
  return errors;
}

describe('Committed histories', function replaying() {
  this.timeout(60_000);

  it('replay in the code of today', async () => {
    const errors = await replay({ codePath: await workflowBundlePath() });

    assert.deepEqual(errors, {
      'quote-lifecycle.refused-then-shared.json': undefined,
      'quote-lifecycle.shared-and-won.json': undefined,
      'quote-lifecycle.won-and-shared-again.json': undefined,
    });
  });

  it('fail in code that mails before it stores the PDF', async () => {
    const swapped = await bundleChanged('workflows/send-quote.ts', (source) =>
      source
        .replace('documents.ensureQuotePdf', 'STORE')
        .replace('mail.sendQuoteMail', 'documents.ensureQuotePdf')
        .replace('STORE', 'mail.sendQuoteMail'),
    );

    const errors = await replay(swapped);

    for (const [file, error] of Object.entries(errors)) {
      assert.ok(error instanceof DeterminismViolationError, `${file}: ${error?.message}`);
      assert.match(error.message, /ensureQuotePdf|sendQuoteMail/);
    }
    assert.equal(Object.keys(errors).length, 3);
  });
});
