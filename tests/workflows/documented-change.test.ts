import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { DeterminismViolationError } from '@temporalio/workflow';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { type History, violationOf } from '../../ops/history.ts';
import type { ReminderActivities } from '../../activities/reminders.ts';
import { newId } from '../../db/ids.ts';
import { remindStart, workflowIds } from '../../workflows/contract.ts';
import type { remind } from '../../workflows/remind.ts';
import { applyDiff, documentedDiffs } from './documented-change.ts';
import { committedHistories } from './committed.ts';
import './quiet.ts';
import { skippingWorld } from './skipping.ts';
import { bundleChanged } from './variant.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The example in `docs/workflows.md`: its diffs are applied to the current workflow, so neither can become outdated.
 */
describe('documented change of remind', () => {
  const stages = ['unpatched', 'patched', 'deprecated', 'removed'] as const;
  type Stage = (typeof stages)[number];
  const sources = new Map<Stage, string>();
  const bundles = new Map<Stage, WorkflowBundleWithSourceMap>();

  before(async () => {
    const diffs = await documentedDiffs();
    const today = await readFile(new URL('../../workflows/remind.ts', import.meta.url), 'utf8');
    const diff = (stage: Stage): string => {
      const text = diffs.get(stage);
      assert.ok(text, `docs/workflows.md has no diff ${stage}`);
      return text;
    };
    // Without the patch it is one step; with it three, each of which starts at the end of the previous one.
    const ways: readonly (readonly [Stage, readonly Stage[]])[] = [
      ['unpatched', ['unpatched']],
      ['patched', ['patched']],
      ['deprecated', ['patched', 'deprecated']],
      ['removed', ['patched', 'deprecated', 'removed']],
    ];
    for (const [stage, steps] of ways) {
      const changed = steps.reduce((text, step) => applyDiff(text, diff(step)), today);
      sources.set(stage, changed);
      // A stage that comes to the same code as another needs no bundle of its own.
      const same = [...sources].find(([, source]) => source === changed)?.[0] ?? stage;
      bundles.set(stage, bundles.get(same) ?? (await bundleChanged('workflows/remind.ts', () => changed)));
    }
  });

  const bundleOf = (stage: Stage): WorkflowBundleWithSourceMap => {
    const bundle = bundles.get(stage);
    assert.ok(bundle);
    return bundle;
  };

  interface Run {
    readonly calls: readonly string[];
    readonly history: History;
    readonly workflowId: string;
  }
  const runs = new Map<Stage, Promise<Run>>();

  /** A run of two days in the code of a stage, made once: what it did, and its history. */
  function runIn(stage: Stage): Promise<Run> {
    const run = runs.get(stage) ?? newRun(stage);
    runs.set(stage, run);
    return run;
  }

  async function newRun(stage: Stage): Promise<Run> {
    const calls: string[] = [];
    const dueAt = new Date(Date.now() + 2 * DAY_MS).toISOString();
    const activities: ReminderActivities = {
      readReminder: async () => {
        calls.push('readReminder');
        return { quoteNumber: 12, dueAt };
      },
      fireReminder: async () => {
        calls.push('fireReminder');
        return 'fired';
      },
    };
    const world = await skippingWorld(activities, bundleOf(stage));
    try {
      const ids = { tenantId: newId(), reminderId: newId(), quoteId: newId(), automationId: newId() };
      const options = remindStart({ ...ids, quoteNumber: 12, dueAt });
      const handle = await world.env.client.workflow.start<typeof remind>('remind', options);
      assert.deepEqual(await handle.result(), { outcome: 'fired' });
      return { calls, history: await handle.fetchHistory(), workflowId: workflowIds.remind(ids) };
    } finally {
      await world.stop();
    }
  }

  const violatedBy = async (stage: Stage, { history, workflowId }: { history: History; workflowId: string }) =>
    (await violationOf(history, workflowId, bundleOf(stage)))?.error instanceof DeterminismViolationError;
  const committed = async (stage: Stage): Promise<Readonly<Record<string, boolean>>> => {
    const answers: Record<string, boolean> = {};
    for (const one of committedHistories('remind.')) answers[one.file] = await violatedBy(stage, one);
    return answers;
  };

  it('without its patch breaks executions past that point, as the committed histories show', async () => {
    assert.deepEqual(await committed('unpatched'), { 'remind.cancelled.json': true, 'remind.fired.json': true });
  });

  it('with its patch keeps old executions on the old path, and new ones take the new path', async () => {
    assert.deepEqual(await committed('patched'), { 'remind.cancelled.json': false, 'remind.fired.json': false });

    const run = await runIn('patched');

    assert.deepEqual(run.calls, ['readReminder', 'readReminder', 'fireReminder']);
    assert.equal(await violatedBy('patched', run), false);
  });

  it('can be deprecated only once no execution is older than the patch', async () => {
    const run = await runIn('patched');

    assert.equal(await violatedBy('deprecated', run), false);
    assert.deepEqual(await committed('deprecated'), { 'remind.cancelled.json': true, 'remind.fired.json': true });
  });

  it('can lose its patch only once no execution has its marker; the plain change remains', async () => {
    const [withMarker, withDeprecated] = [await runIn('patched'), await runIn('deprecated')];

    assert.deepEqual(withDeprecated.calls, ['readReminder', 'readReminder', 'fireReminder']);
    assert.equal(await violatedBy('removed', withDeprecated), false);
    assert.equal(await violatedBy('removed', withMarker), true);
    assert.equal(sources.get('removed'), sources.get('unpatched'));
  });
});
