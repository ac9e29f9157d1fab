import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import type { RescheduleActivities, RescheduledPage, ReschedulePageRef } from '../../activities/reschedule.ts';
import type { rescheduleReminders } from '../../workflows/reschedule-reminders.ts';
import { type RescheduleInput, rescheduleStart } from '../../workflows/reschedule-start.ts';
import './quiet.ts';
import { type SkippingWorld, skippingWorld } from './skipping.ts';

describe('rescheduleReminders', () => {
  let world: SkippingWorld;
  /** The requested pages, by settings change. */
  const asked = new Map<string, (ReschedulePageRef & { readonly at: number })[]>();
  const scripts = new Map<string, (page: ReschedulePageRef, turn: number) => Promise<RescheduledPage>>();

  before(async () => {
    const activities: RescheduleActivities = {
      async signalSentQuotes(page) {
        const pages = asked.get(page.eventId) ?? [];
        asked.set(page.eventId, [...pages, { ...page, at: await world.env.currentTimeMs() }]);
        const script = scripts.get(page.eventId);
        return script ? script(page, pages.length + 1) : { outcome: 'done', signalled: 0 };
      },
    };
    world = await skippingWorld(activities);
  });
  after(() => world.stop());

  function start(script: (page: ReschedulePageRef, turn: number) => Promise<RescheduledPage>, input: object = {}) {
    const ref = { tenantId: newId(), eventId: newId() };
    scripts.set(ref.eventId, script);
    const options = rescheduleStart(ref, null);
    const args: [RescheduleInput] = [{ ...ref, ...input }];
    return {
      ...ref,
      run: world.env.client.workflow.execute<typeof rescheduleReminders>('rescheduleReminders', { ...options, args }),
    };
  }
  const pagesOf = ({ eventId }: { eventId: string }) => asked.get(eventId) ?? [];

  it('requests each page from the end of the previous one, and counts the signalled quotes', async () => {
    const started = start(async ({ after }) =>
      after < 60 ? { outcome: 'more', signalled: 20, after: after + 30 } : { outcome: 'done', signalled: 7 },
    );

    assert.deepEqual(await started.run, { outcome: 'done', signalled: 47 });
    assert.deepEqual(
      pagesOf(started).map(({ tenantId, after }) => [tenantId, after]),
      [0, 30, 60].map((after) => [started.tenantId, after]),
    );
  });

  it('pauses at least a second between two pages', async () => {
    const started = start(async ({ after }) =>
      after < 3 ? { outcome: 'more', signalled: 1, after: after + 1 } : { outcome: 'done', signalled: 0 },
    );

    await started.run;

    const times = pagesOf(started).map(({ at }) => at);
    const pauses = times.slice(1).map((at, i) => at - (times[i] ?? at));
    assert.equal(pauses.length, 3);
    assert.ok(Math.min(...pauses) >= 1_000, String(pauses));
  });

  it('ends when a later settings change supersedes its own', async () => {
    const started = start(async (_page, turn) =>
      turn === 1 ? { outcome: 'more', signalled: 20, after: 20 } : { outcome: 'superseded', signalled: 0 },
    );

    assert.deepEqual(await started.run, { outcome: 'superseded', signalled: 20 });
    assert.equal(pagesOf(started).length, 2);
  });

  it('retries a failed page until it succeeds, and skips none', async () => {
    const started = start(async ({ after }, turn) => {
      // More than any limit on attempts: PostgreSQL or Temporal may be away for minutes.
      if (turn <= 12) throw new Error('Temporal is away');
      return after === 0 ? { outcome: 'more', signalled: 20, after: 20 } : { outcome: 'done', signalled: 0 };
    });

    assert.deepEqual(await started.run, { outcome: 'done', signalled: 20 });
    assert.deepEqual(
      pagesOf(started).map(({ after }) => after),
      [...Array.from({ length: 13 }, () => 0), 20],
    );
  });

  it('continues as a new execution after the last signalled quote', async () => {
    const started = start(async () => ({ outcome: 'done', signalled: 3 }), { after: 400, signalled: 380 });

    assert.deepEqual(await started.run, { outcome: 'done', signalled: 383 });
    assert.deepEqual(
      pagesOf(started).map(({ after }) => after),
      [400],
    );
  });
});
