import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import type { ChorePart, HousekeepingActivities } from '../../activities/housekeeping/chores.ts';
import { newId } from '../../db/ids.ts';
import type { Chore } from '../../domain/housekeeping.ts';
import { queues } from '../../workflows/contract.ts';
import type { housekeeping, HousekeepingInput } from '../../workflows/housekeeping.ts';
import './quiet.ts';
import { type SkippingWorld, skippingWorld } from './skipping.ts';

describe('housekeeping', () => {
  let world: SkippingWorld;
  let parts: ChorePart[] = [];
  let steps: Partial<Record<Chore, HousekeepingActivities['doChore']>> = {};

  before(async () => {
    const activities: HousekeepingActivities = {
      async doChore(part) {
        parts.push(part);
        return (await steps[part.chore]?.(part)) ?? { done: 1 };
      },
    };
    world = await skippingWorld(activities);
  });
  after(() => world.stop());
  beforeEach(() => {
    parts = [];
    steps = {};
  });

  const start = (input: HousekeepingInput) =>
    world.env.client.workflow.start<typeof housekeeping>('housekeeping', {
      workflowId: `housekeeping.${newId()}`,
      taskQueue: queues.workflows,
      args: [input],
    });

  it('runs its chores in order, each page by page from where the last one ended, and returns the counts', async () => {
    steps.sessions = async ({ after }) =>
      after === undefined ? { done: 500, after: '' } : after === '' ? { done: 500, after: 'x' } : { done: 3 };

    const run = await start({ chores: ['webhook_bodies', 'sessions', 'account_mails'] });

    assert.deepEqual(await run.result(), {
      done: { webhook_bodies: 1, sessions: 1003, account_mails: 1 },
      failed: [],
    });
    assert.deepEqual(
      parts.map(({ chore, after }) => [chore, after]),
      [
        ['webhook_bodies', undefined],
        ['sessions', undefined],
        ['sessions', ''],
        ['sessions', 'x'],
        ['account_mails', undefined],
      ],
    );
  });

  it('retries a page, and gives up a chore after a quarter of an hour: the others run, and the workflow fails', async () => {
    const triedAt: number[] = [];
    steps.sessions = async () => {
      triedAt.push(await world.env.currentTimeMs());
      throw new Error('PostgreSQL is away');
    };
    let tries = 0;
    steps.audit_seals = async () => {
      tries += 1;
      if (tries < 3) throw new Error('PostgreSQL is away');
      return { done: 7 };
    };

    const run = await start({ chores: ['sessions', 'audit_seals', 'account_mails'] });
    const error = await run.result().then(
      () => undefined,
      (failure: Error) => failure.cause,
    );

    assert.ok(error instanceof ApplicationFailure, String(error));
    assert.equal(error.message, 'No se pudo: sessions');
    assert.deepEqual(error.details, [
      { done: { sessions: 0, audit_seals: 7, account_mails: 1 }, failed: ['sessions'] },
    ]);
    assert.equal(triedAt.length, 9);
    const minutes = ((triedAt.at(-1) ?? 0) - (triedAt[0] ?? 0)) / 60_000;
    assert.ok(minutes > 10 && minutes < 20, `${minutes} minutes`);
  });

  it('ends when cancelled, without the remaining chores', async () => {
    steps.sessions = async () => {
      throw new Error('PostgreSQL is away');
    };
    const run = await start({ chores: ['sessions', 'account_mails'] });
    await run.cancel();

    await assert.rejects(run.result(), /cancelled/);
    assert.ok(!parts.some(({ chore }) => chore === 'account_mails'));
  });

  it('continues as a new execution with the counts and the remaining chores', async () => {
    const run = await start({
      chores: ['sessions'],
      after: 'x',
      result: { done: { webhook_bodies: 5, sessions: 500 }, failed: [] },
    });

    assert.deepEqual(await run.result(), { done: { webhook_bodies: 5, sessions: 501 }, failed: [] });
    assert.deepEqual(
      parts.map(({ after }) => after),
      ['x'],
    );
  });
});
