import assert from 'node:assert/strict';
import { expiryMoments } from '../../domain/expiry.ts';
import { freePort } from '../../dev/ports.ts';
import { httpClient } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { type Apart, install, type Installation } from '../installation.ts';
import { startOwnProcess } from '../own-process.ts';
import { runUnderLoad } from './load.ts';
import { suffers } from './preload/preload.ts';
import { isLong, report } from './report.ts';
import { makeTenant } from './tenants.ts';
import { startReceivers } from './receivers.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** F13: a machine with a wrong clock. PostgreSQL's and Temporal's are right, as one of them must be. */

const MINUTES = 10;
const skewed = (minutes: number): Apart => ({
  node: suffers('clock'),
  settings: { CLOCK_SKEW_MS: String(minutes * 60_000) },
});

const CASES = {
  'the worker ahead': { worker: skewed(MINUTES) },
  'the worker behind, the API ahead': { worker: skewed(-MINUTES), api: skewed(MINUTES) },
  'the API behind': { api: skewed(-MINUTES) },
} as const;
const CHOSEN = isLong() ? Object.entries(CASES) : Object.entries(CASES).slice(1, 2);

describe(`with a clock that is ${MINUTES} minutes off`, function () {
  this.timeout(5 * 60_000);

  for (const [name, apart] of CHOSEN) {
    it(`${name}: nothing lost, signatures have the right time, timers end on time, sessions stay valid`, async () => {
      const service = await install({ apart });
      try {
        let timers: Timers | undefined;
        const outcome = await runUnderLoad(
          service,
          async () => {
            const set = await setTimers(service);
            timers = set;
            await eventually(async () => {
              const { reminders, expirings } = await timersOf(service, set);
              assert.deepEqual([reminders, expirings], [1, 1]);
            }, 120_000);
            // A duplicate would come immediately.
            await sleep(5_000);
          },
          { allowance: { repeatedCalls: 0, repeatedMails: 0, skew: 5 } },
        );
        const late = await timersOf(service, timers);
        const sessions = await otherApiKnows(service);
        await report({
          fault: `F13 clock ${MINUTES} min off: ${name}`,
          times: 1,
          kills: 0,
          invariants: 'I1–I12, timers, sessions',
          result: `${outcome.calls} calls; a reminder ${late.reminder.toFixed(1)} s after its moment, the notice of expiry ${late.expiring.toFixed(1)} s`,
          lost: Object.keys(outcome.violations).length,
          doubled: 0,
        });
        assert.deepEqual(outcome.violations, {});
        assert.deepEqual([late.reminders, late.expirings], [1, 1]);
        for (const seconds of [late.reminder, late.expiring]) {
          assert.ok(seconds > -1 && seconds < 20, `${seconds} s after its moment`);
        }
        assert.equal(sessions, 200);
      } finally {
        await service.remove();
      }
    });
  }
});

interface Timers {
  readonly quoteId: string;
  readonly tenantId: string;
  readonly reminderAt: number;
  readonly expiringAt: number;
}

/** A reminder in a minute, and a quote whose end is in 24 hours and 15 s. */
async function setTimers(service: Installation): Promise<Timers> {
  await using receivers = await startReceivers();
  const { id: tenantId, owner, clientId } = await makeTenant(service, receivers, 100, false);
  const { http } = service;
  const reminder = { type: 'create_reminder', delayMinutes: 1, message: 'Llamar' };
  await http.post('/api/automations', { name: 'Enviada', trigger: 'QUOTE_SENT', actions: [reminder] }, owner);
  const expiringAt = Date.now() + 15_000;
  const expiresAt = new Date(expiringAt + 24 * 60 * 60_000);
  const items = [{ productName: 'Mesa', quantity: 1, unitPrice: 10 }];
  const { body } = await http.post('/api/quotes', { clientId, items }, owner);
  // The announcement is later than 24 hours before the end, by an offset computed from the quote's id.
  const timing = { quoteId: String(body.id), expiresAt, reminderDaysBefore: 3, timeZone: 'America/Mexico_City' };
  const later = expiryMoments(timing).expiringAt.getTime() - expiringAt;
  const end = new Date(expiresAt.getTime() - later).toISOString();
  assert.equal((await http.patch(`/api/quotes/${body.id}`, { expiresAt: end }, owner)).status, 200);
  await http.patch(`/api/quotes/${body.id}/status`, { status: 'SENT' }, owner);
  return { quoteId: body.id, tenantId, reminderAt: Date.now() + 60_000, expiringAt };
}

/** How often each came, and how many seconds after its due time, by PostgreSQL's clock. */
async function timersOf(service: Installation, timers: Timers | undefined) {
  assert.ok(timers);
  const { tenantId, quoteId, reminderAt, expiringAt } = timers;
  const notifications = await service.rows(
    "select created_at from notifications where tenant_id = $1 and type = 'reminder'",
    tenantId,
  );
  const events = await service.rows(
    "select created_at from outbox_events where quote_id = $1 and type = 'quote.expiring'",
    quoteId,
  );
  const after = (rows: typeof notifications, at: number) =>
    (new Date(String(rows[0]?.['created_at'])).getTime() - at) / 1000;
  return {
    reminders: notifications.length,
    reminder: after(notifications, reminderAt),
    expirings: events.length,
    expiring: after(events, expiringAt),
  };
}

/** The response of an API with the right time to a session that the other one has created. */
async function otherApiKnows(service: Installation): Promise<number> {
  await using receivers = await startReceivers();
  const { owner } = await makeTenant(service, receivers, 101, false);
  const port = await freePort();
  const api = await startOwnProcess('api/main.ts', { ...service.env, PORT: String(port) });
  try {
    return (await httpClient(`http://127.0.0.1:${port}`).get('/api/quotes', owner)).status;
  } finally {
    await api.stop();
  }
}
