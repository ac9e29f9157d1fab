import assert from 'node:assert/strict';
import type { ReminderActivities } from '../../activities/reminders.ts';
import { newId } from '../../db/ids.ts';
import { queries, queues, remindStart, type UpcomingTimer } from '../../workflows/contract.ts';
import type { remind } from '../../workflows/remind.ts';
import { eventually } from '../eventually.ts';
import './quiet.ts';
import { type SkippingWorld, skippingWorld } from './skipping.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('remind', () => {
  let world: SkippingWorld;
  /** By reminder: when it is due while it waits, how it ends, and when it was fired. */
  const reminders = new Map<string, { dueAt: string | undefined; outcome: 'fired' | 'cancelled'; firedAt: number[] }>();

  before(async () => {
    const activities: ReminderActivities = {
      readReminder: async ({ reminderId }) => {
        const dueAt = reminders.get(reminderId)?.dueAt;
        return dueAt === undefined ? undefined : { quoteNumber: 12, dueAt };
      },
      fireReminder: async ({ reminderId }) => {
        const reminder = reminders.get(reminderId);
        reminder?.firedAt.push(await world.env.currentTimeMs());
        return reminder?.outcome ?? 'closed';
      },
    };
    world = await skippingWorld(activities, [queues.automations]);
  });
  after(() => world.stop());

  async function start({ days, outcome = 'fired' as const }: { days?: number; outcome?: 'fired' | 'cancelled' }) {
    const reminderId = newId();
    const now = await world.env.currentTimeMs();
    const dueAt = new Date(now + (days ?? 0) * DAY_MS).toISOString();
    const firedAt: number[] = [];
    reminders.set(reminderId, { dueAt: days === undefined ? undefined : dueAt, outcome, firedAt });
    const options = remindStart({
      tenantId: newId(),
      reminderId,
      quoteId: newId(),
      quoteNumber: 12,
      automationId: newId(),
      dueAt,
    });
    const handle = await world.env.client.workflow.start<typeof remind>('remind', options);
    return { handle, dueAt, firedAt };
  }

  it('fires when it is due in 20 days, and shows until when it waits', async () => {
    const { handle, dueAt, firedAt } = await start({ days: 20 });
    const timers = () => handle.query<UpcomingTimer[]>(queries.upcomingTimers);
    await eventually(async () => assert.deepEqual(await timers(), [{ name: 'Recordatorio', at: dueAt }]));

    assert.deepEqual(await handle.result(), { outcome: 'fired' });

    assert.equal(firedAt.length, 1);
    const late = (firedAt[0] ?? 0) - Date.parse(dueAt);
    assert.ok(late >= 0 && late < 5_000, `${late} ms late`);
  });

  it('fires immediately when it is overdue', async () => {
    const { handle, firedAt } = await start({ days: -1 });

    assert.deepEqual(await handle.result(), { outcome: 'fired' });
    assert.equal(firedAt.length, 1);
  });

  it('ends as cancelled when the record says so', async () => {
    const { handle } = await start({ days: 1, outcome: 'cancelled' });

    assert.deepEqual(await handle.result(), { outcome: 'cancelled' });
  });

  it('does nothing for one that had already ended', async () => {
    const { handle, firedAt } = await start({});

    assert.deepEqual(await handle.result(), { outcome: 'closed' });
    assert.deepEqual(firedAt, []);
  });
});
