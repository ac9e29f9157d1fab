import assert from 'node:assert/strict';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { readWorkerConfig } from '../../adapters/config.ts';
import { clientOptions } from '../../adapters/temporal/connection.ts';
import type { AutomationAction, Trigger } from '../../domain/automation.ts';
import { queries, type UpcomingTimer } from '../../workflows/contract.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { needs, testStack, testWorker } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';

needs('temporal', 'storage', 'inbox');

/** From the API to the last effect: dispatcher, Temporal and a worker process, all real. */
describe('automations on the complete service', () => {
  let business: build.Business;
  let connection: Connection;
  let temporal: TemporalClient;

  before(async () => {
    const config = readWorkerConfig((await testStack()).env);
    connection = Connection.lazy(clientOptions(config));
    temporal = new TemporalClient({ connection, namespace: config.TEMPORAL_NAMESPACE });
    await testWorker();
  });
  beforeEach(async () => {
    business = await build.business();
  });
  after(() => connection.close());

  async function automation(trigger: Trigger, actions: readonly AutomationAction[], fields: object = {}) {
    const app = await service();
    const answer = await app.post('/api/automations', { name: trigger, trigger, actions, ...fields }, business.owner);
    assert.equal(answer.status, 201);
    return String(answer.body.id);
  }

  const logsOf = (automationId: string) =>
    rows('select status, error from automation_logs where automation_id = $1', automationId);
  const COMPLETED = [{ status: 'COMPLETED', error: null }];
  const statusOf = async (quoteId: string) =>
    (await rows('select status from quotes where id = $1', quoteId))[0]?.['status'];

  it('each automation of a chain runs once: SENT by the first, WON by the second, a notification by the third', async () => {
    const first = await automation('QUOTE_CREATED', [{ type: 'change_status', newStatus: 'SENT' }]);
    const second = await automation('QUOTE_SENT', [{ type: 'change_status', newStatus: 'WON' }]);
    const third = await automation('QUOTE_WON', [{ type: 'send_notification', title: 'Ganada', body: 'Bien' }]);

    const quote = await build.quote(business.owner);

    await eventually(async () => {
      for (const id of [first, second, third]) assert.deepEqual(await logsOf(id), COMPLETED);
    });
    assert.equal(await statusOf(quote.id), 'WON');
    const notifications = await rows(
      "select title from notifications where user_id = $1 and type = 'automation'",
      business.userId,
    );
    assert.deepEqual(notifications, [{ title: 'Ganada' }]);
  });

  it('a failing automation says why and does not affect the others', async () => {
    const failing = await automation('QUOTE_CREATED', [
      { type: 'send_notification', title: 'a', body: 'b' },
      { type: 'change_status', newStatus: 'WON' },
      { type: 'send_notification', title: 'nunca', body: 'b' },
    ]);

    await build.quote(business.owner);

    const error = 'actions.1 (change_status): No se puede cambiar de GENERATED a WON';
    await eventually(async () => assert.deepEqual(await logsOf(failing), [{ status: 'FAILED', error }]));
  });

  it('reminders of automations fire when they are due', async () => {
    await automation('QUOTE_CREATED', [{ type: 'create_reminder', delayMinutes: 0, message: 'Llamar' }]);

    const quote = await build.quote(business.owner);

    await eventually(async () => {
      const made = await rows('select status from reminders where quote_id = $1', quote.id);
      assert.deepEqual(made, [{ status: 'FIRED' }]);
    });
  });

  it('a delayed run waits in Temporal under the ids of automation and event', async () => {
    const id = await automation('QUOTE_CREATED', [{ type: 'send_notification', title: 'a', body: 'b' }], {
      delayMinutes: 60,
    });

    const quote = await build.quote(business.owner);

    const [event] = await rows('select id from outbox_events where quote_id = $1', quote.id);
    const run = temporal.workflow.getHandle(`auto.${id}.${String(event?.['id'])}`);
    await eventually(async () => {
      const [timer] = await run.query<UpcomingTimer[]>(queries.upcomingTimers);
      assert.equal(timer?.name, 'Fin de la espera');
    });
    const { searchAttributes } = await run.describe();
    assert.deepEqual([searchAttributes['QuoteId'], searchAttributes['AutomationId']], [[quote.id], [id]]);
    await run.terminate('the test is over');
  });

  it('QUOTE_EXPIRING triggers when a quote is SENT with less than a day left, and its reminder execution waits for the end', async () => {
    const id = await automation('QUOTE_EXPIRING', [{ type: 'send_notification', title: 'Vence', body: 'b' }]);
    const app = await service();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const quote = await build.quote(business.owner, { expiresAt });

    await app.patch(`/api/quotes/${quote.id}/status`, { status: 'SENT' }, business.owner);

    await eventually(async () => assert.deepEqual(await logsOf(id), COMPLETED));
    const [tenant] = await rows('select slug from tenants where id = $1', business.tenantId);
    const run = temporal.workflow.getHandle(`expiry.${String(tenant?.['slug'])}.COT-${quote.quoteNumber}`);
    await eventually(async () => {
      const timers = await run.query<UpcomingTimer[]>(queries.upcomingTimers);
      assert.deepEqual(timers, [{ kind: 'expired', name: 'Aviso de que venció', at: expiresAt }]);
    });
  });

  it('the reminder of a SENT quote is rescheduled when the setting changes, and ends when the quote is WON', async () => {
    const app = await service();
    const quote = await build.quote(business.owner);
    await app.patch(`/api/quotes/${quote.id}/status`, { status: 'SENT' }, business.owner);
    const [tenant] = await rows('select slug from tenants where id = $1', business.tenantId);
    const run = temporal.workflow.getHandle(`expiry.${String(tenant?.['slug'])}.COT-${quote.quoteNumber}`);
    const [row] = await rows('select expires_at from quotes where id = $1', quote.id);
    const expiresAt = row?.['expires_at'];
    assert.ok(expiresAt instanceof Date);
    const waitsUntil = (days: number) =>
      eventually(async () => {
        const [next] = await run.query<UpcomingTimer[]>(queries.upcomingTimers);
        // Nine in the morning in a zone without summer time, that many days before the day that ends with `expiresAt`.
        const nine = expiresAt.getTime() + 1 - (days * 24 + 15) * 3_600_000;
        const minutes = (Date.parse(next?.at ?? '') - nine) / 60_000;
        assert.ok(minutes >= 0 && minutes <= 15, `${next?.at}`);
      });
    await waitsUntil(3);

    const settings = { companyName: 'Acme', email: business.email, reminderDaysBefore: 7 };
    await app.request('PUT', '/api/settings', { body: settings, headers: business.owner });
    await waitsUntil(7);

    await app.patch(`/api/quotes/${quote.id}/status`, { status: 'WON' }, business.owner);
    await eventually(async () => assert.equal((await run.describe()).status.name, 'COMPLETED'));
  });
});
