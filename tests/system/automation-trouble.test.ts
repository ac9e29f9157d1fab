import assert from 'node:assert/strict';
import type { AutomationAction, Trigger } from '../../domain/automation.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../../dev/ports.ts';
import { type Business, eventsOf, mailsTo, makeQuote, type Quote, register, statusOf } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';

/** Each in a separate business, so that no other automation is triggered. */
describe('failing automations', () => {
  let service: Installation;
  let business: Business;

  before(async () => {
    service = await installation();
  });
  beforeEach(async () => {
    business = await register(service);
  });
  afterEach(() => service.parts.inbox.setMode('accept'));

  async function made(path: string, body: object): Promise<string> {
    const res = await service.http.post(path, body, business.owner);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return String(res.body.id);
  }
  const automation = (trigger: Trigger, actions: readonly AutomationAction[], fields: object = {}) =>
    made('/api/automations', { name: trigger, trigger, actions, ...fields });

  const logsOf = (automationId: string) =>
    service.rows('select status, error from automation_logs where automation_id = $1', automationId);
  const untilLog = (automationId: string, status: string, error: string | null) =>
    eventually(async () => assert.deepEqual(await logsOf(automationId), [{ status, error }]));
  const notifications = () =>
    service.rows("select title from notifications where tenant_id = $1 and type = 'automation'", business.tenantId);

  const note = { type: 'send_notification', title: 'Después', body: 'b' } as const;
  const mail = { type: 'send_email', to: 'client', subject: 'Gracias', body: 'Hola' } as const;

  describe('two automations', () => {
    async function untilNothingRuns(): Promise<void> {
      await eventually(async () => {
        const open = await service.rows(
          `select id from automation_logs where tenant_id = $1 and status = 'TRIGGERED'
            union all select id from outbox_events where tenant_id = $1 and fanned_out_at is null`,
          business.tenantId,
        );
        assert.deepEqual(open, []);
      });
    }

    it('that trigger each other run once each, and the quote ends in a final status', async () => {
      const first = await automation('QUOTE_SENT', [{ type: 'change_status', newStatus: 'WON' }]);
      const second = await automation('QUOTE_WON', [{ type: 'change_status', newStatus: 'SENT' }]);
      const quote = await makeQuote(service, business);

      await patchStatus(quote, 'SENT');

      await untilLog(first, 'COMPLETED', null);
      await untilLog(second, 'FAILED', 'actions.0 (change_status): No se puede cambiar de WON a SENT');
      await untilNothingRuns();
      assert.equal(await statusOf(service, business, quote), 'WON');
      assert.deepEqual(await eventsOf(service, quote), [
        'quote.created',
        'quote.status_changed',
        'quote.status_changed',
      ]);
    });

    it('that would not change the status run once, without an event', async () => {
      const id = await automation('QUOTE_SENT', [{ type: 'change_status', newStatus: 'SENT' }]);
      const quote = await makeQuote(service, business);

      await patchStatus(quote, 'SENT');

      await untilLog(id, 'COMPLETED', null);
      await untilNothingRuns();
      assert.deepEqual(await eventsOf(service, quote), ['quote.created', 'quote.status_changed']);
    });
  });

  describe('a missing target', () => {
    it('the label was deleted: FAILED, and the following actions do not run', async () => {
      const labelId = await made('/api/labels', { name: 'Nueva' });
      const id = await automation('QUOTE_SENT', [{ type: 'add_label', labelId }, note]);
      const quote = await makeQuote(service, business);
      await service.rows('delete from labels where id = $1', labelId);

      await patchStatus(quote, 'SENT');

      await untilLog(id, 'FAILED', 'actions.0 (add_label): la etiqueta ya no existe');
      assert.deepEqual(await notifications(), []);
    });

    it('the endpoint of fire_webhook fails: FAILED with the reason', async () => {
      const url = `http://127.0.0.1:${await freePort()}/`;
      const id = await automation('QUOTE_CREATED', [{ type: 'fire_webhook', url, includeItems: true }, note]);

      await makeQuote(service, business);

      await untilLog(id, 'FAILED', 'actions.0 (fire_webhook): sin respuesta (refused)');
      assert.deepEqual(await notifications(), []);
    });

    it('no owner is active: FAILED', async () => {
      const id = await automation('QUOTE_SENT', [note]);
      const quote = await makeQuote(service, business);
      await service.processes.worker.stop();
      await patchStatus(quote, 'SENT');
      await service.rows('update users set is_active = false where tenant_id = $1', business.tenantId);
      await service.startWorker();

      await untilLog(id, 'FAILED', 'actions.0 (send_notification): el negocio no tiene dueños activos');
    });
  });

  describe('the mail server', () => {
    it('refuses the mail: FAILED immediately, nothing is mailed', async () => {
      service.parts.inbox.setMode('reject');
      const id = await automation('QUOTE_CREATED', [mail, note]);

      const quote = await makeQuote(service, business);

      await untilLog(id, 'FAILED', 'actions.0 (send_email): el servidor de correo rechazó el mensaje');
      assert.deepEqual(await mailsTo(service, quote), []);
      assert.deepEqual(await notifications(), []);
    });

    it('is down: the step waits, and mails once when it is back', async () => {
      const id = await automation('QUOTE_CREATED', [mail, note]);
      await service.parts.inbox.stop();
      let quote: Quote;
      try {
        quote = await makeQuote(service, business);
        await untilTried(id, 'sendAutomationEmail');
      } finally {
        await service.startInbox();
      }

      await untilLog(id, 'COMPLETED', null);
      assert.equal((await mailsTo(service, quote)).length, 1);
      assert.deepEqual(await notifications(), [{ title: 'Después' }]);
    });

    it('hangs: the step waits, and mails once when it responds again', async () => {
      service.parts.inbox.setMode('hang');
      const id = await automation('QUOTE_CREATED', [mail]);
      const quote = await makeQuote(service, business);
      await untilTried(id, 'sendAutomationEmail');

      service.parts.inbox.setMode('accept');

      await untilLog(id, 'COMPLETED', null);
      assert.equal((await mailsTo(service, quote)).length, 1);
    });

    it('drops the connection after the message: FAILED, because it may have been sent, and no second copy', async () => {
      service.parts.inbox.setMode('drop-after-data');
      const id = await automation('QUOTE_CREATED', [mail]);

      const quote = await makeQuote(service, business);

      await untilLog(id, 'FAILED', 'actions.0 (send_email): no se sabe si el correo salió');
      assert.equal((await mailsTo(service, quote)).length, 1);
    });
  });

  async function patchStatus(quote: Quote, status: string): Promise<void> {
    const path = `/api/quotes/${quote.id}/status`;
    const res = await service.http.request('PATCH', path, { headers: business.owner, body: { status } });
    assert.equal(res.status, 200, JSON.stringify(res.body));
  }

  /** Waits until an attempt of that step has failed and another is due. */
  async function untilTried(automationId: string, step: string): Promise<void> {
    await eventually(async () => {
      const [log] = await service.rows('select event_id from automation_logs where automation_id = $1', automationId);
      const run = service.temporal.workflow.getHandle(`auto.${automationId}.${String(log?.['event_id'])}`);
      const { raw } = await run.describe();
      const tried = raw.pendingActivities?.find(({ activityType }) => activityType?.name === step);
      assert.equal((tried?.attempt ?? 0) > 1, true, `${step} has not failed yet`);
    });
  }
});
