import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { queries, signals } from '../../workflows/contract.ts';
import { receiver } from '../api/receiver.ts';
import { csv, fileForm } from '../api/spreadsheet-files.ts';
import { eventually } from '../eventually.ts';
import { type Business, makeQuote, type Quote, register, share } from '../journey/business.ts';
import type { Installation } from '../journey/installation.ts';
import { isRecorded, record, recordingInstallation } from './recording.ts';

/**
 * Records the histories that `replay.test.ts` replays, from real runs on real servers; those that exist stay as they
 * are. Not a test by its name: `npx mocha tests/workflows/record-histories.ts`.
 */
// Executions that continue as new do so after a few events, the others never.
for (const length of ['short', 'long'] as const)
  describe(`Histories, ${length}`, () => {
    let service: Installation;
    let business: Business;
    let stop: Awaited<ReturnType<typeof recordingInstallation>>['stop'];

    before(async () => {
      ({ service, stop } = await recordingInstallation(length === 'short' ? 24 : 4_096));
    });
    beforeEach(async () => {
      business = await register(service);
    });
    after(() => stop());

    /** A test that records one path of a workflow, unless it is there; by default where executions are short. */
    function path(
      type: string,
      name: string,
      walk: () => Promise<{ workflowId: string; runId?: string }>,
      where: typeof length = 'short',
    ): void {
      if (where !== length) return;
      it(`${type}: ${name}`, async () => {
        if (await isRecorded(type, name)) return;
        await record(service, { ...(await walk()), path: name });
      });
    }

    const post = async (path: string, body: unknown, as = business.owner) => {
      const res = await service.http.post(path, body, as);
      assert.ok(res.status < 300, `${path}: ${res.status} ${JSON.stringify(res.body)}`);
      return res.body;
    };
    const setStatus = async ({ id }: Quote, status: string) => {
      const res = await service.http.patch(`/api/quotes/${id}/status`, { status }, business.owner);
      assert.equal(res.status, 200, JSON.stringify(res.body));
    };
    const one = (sql: string, ...values: readonly unknown[]): Promise<string> =>
      eventually(async () => {
        const [row] = await service.rows(sql, ...values);
        assert.ok(row, sql);
        return String(Object.values(row)[0]);
      });
    const mailOf = async () => `mail.${await one('select id from mails where tenant_id = $1', business.tenantId)}`;
    const invite = (email: string) => post('/api/collaborators', { email, name: 'Carlos' });
    const deliveryOf = async (quote: Quote) =>
      `hook.${await one(
        `select d.webhook_id || '.' || d.event_id from webhook_deliveries d
         join outbox_events e on e.tenant_id = d.tenant_id and e.id = d.event_id where e.quote_id = $1`,
        quote.id,
      )}`;
    const automation = (actions: readonly object[], fields: object = {}) =>
      post('/api/automations', { name: 'Seguimiento', trigger: 'QUOTE_CREATED', actions, ...fields });
    const runOf = async (quote: Quote) =>
      `auto.${await one(`select automation_id || '.' || event_id from automation_logs where quote_id = $1`, quote.id)}`;
    const revise = async ({ id }: Quote) => {
      const clientId = await one('select client_id from quotes where id = $1', id);
      await post(`/api/quotes/${id}/revise`, {
        clientId,
        items: [{ productName: 'Mesa', quantity: 1, unitPrice: 50 }],
      });
    };
    const expiryOf = (quote: Quote) => quote.workflowId.replace('quote.', 'expiry.');
    /** The row is there before its run is. */
    const ended = async (workflowId: string) => {
      const handle = service.temporal.workflow.getHandle(workflowId);
      await eventually(() => handle.describe());
      await handle.result();
    };
    const waits = (workflowId: string) =>
      eventually(async () => {
        const { pendingActivities } = (await service.temporal.workflow.getHandle(workflowId).describe()).raw;
        assert.ok((pendingActivities?.length ?? 0) === 0, 'an activity is under way');
      });

    path('sendMail', 'sent', async () => {
      await invite(`${newId()}@colaborador.test`);
      return { workflowId: await mailOf() };
    });

    path('sendMail', 'given-up', async () => {
      await invite(`reject+550${newId()}@colaborador.test`.replace(/(550).*@/, '$1@'));
      return { workflowId: await mailOf() };
    });

    path('importRecords', 'completed', async () => {
      const rows = Array.from({ length: 501 }, (_, i) => [`Cliente ${i}`, `c${i}@import.test`]);
      const body = fileForm(csv([['contacto', 'correo'], ...rows]));
      const res = await fetch(`${service.http.url}/api/clients/import`, {
        method: 'POST',
        headers: business.owner,
        body,
      });
      const { id } = (await res.json()) as { id: string };
      const workflowId = `import.${id}`;
      await ended(workflowId);
      return { workflowId };
    });

    path('deliverWebhook', 'exhausted', async () => {
      await using endpoint = await receiver((res) => res.writeHead(500).end());
      await post('/api/webhooks', { url: endpoint.url, events: ['quote.created'] });
      const workflowId = await deliveryOf(await makeQuote(service, business));
      await ended(workflowId);
      return { workflowId };
    });

    path('deliverWebhook', 'cancelled', async () => {
      await using endpoint = await receiver((res) => {
        // Switched off while its first attempt is under way.
        void service
          .rows('update webhooks set is_active = false where tenant_id = $1', business.tenantId)
          .then(() => res.writeHead(500).end());
      });
      await post('/api/webhooks', { url: endpoint.url, events: ['quote.created'] });
      const workflowId = await deliveryOf(await makeQuote(service, business));
      await ended(workflowId);
      return { workflowId };
    });

    path('deliverWebhook', 'skipped', async () => {
      // Two calls that hang hold the endpoint; the third delivery has not had its turn when the webhook is switched off.
      await using endpoint = await receiver(() => undefined);
      const webhook = await post('/api/webhooks', { url: endpoint.url, events: ['quote.created'] });
      await makeQuote(service, business);
      await makeQuote(service, business);
      await eventually(() => assert.equal(endpoint.calls.length, 2));
      const workflowId = await deliveryOf(await makeQuote(service, business));
      await eventually(async () => {
        const { raw } = await service.temporal.workflow.getHandle(workflowId).describe();
        assert.ok((raw.pendingActivities?.[0]?.attempt ?? 0) > 1, 'it has not found the endpoint busy');
      });
      await service.rows('update webhooks set is_active = false where id = $1', webhook.id);
      await ended(workflowId);
      return { workflowId };
    });

    path('runAutomation', 'every-action', async () => {
      await using endpoint = await receiver();
      const label = await post('/api/labels', { name: 'Urgente', color: '#aa0000' });
      await automation([
        { type: 'fire_webhook', url: endpoint.url },
        { type: 'create_reminder', delayMinutes: 0, message: 'Llamar' },
        { type: 'add_label', labelId: label.id },
        { type: 'change_status', newStatus: 'SENT' },
        { type: 'send_notification', title: 'Enviada', body: 'Bien' },
        { type: 'send_email', to: 'client', subject: 'Su cotización', body: 'Gracias' },
      ]);
      const workflowId = await runOf(await makeQuote(service, business));
      await ended(workflowId);
      return { workflowId };
    });

    path('remind', 'cancelled', async () => {
      await automation([{ type: 'create_reminder', delayMinutes: 1, message: 'Llamar' }]);
      const quote = await makeQuote(service, business);
      const workflowId = `remind.${await one('select id from reminders where quote_id = $1', quote.id)}`;
      await service.rows('update tenants set plan = $1 where id = $2', 'FREE', business.tenantId);
      return { workflowId };
    });

    path('expiryReminder', 'revised-and-won', async () => {
      const quote = await makeQuote(service, business);
      await setStatus(quote, 'SENT');
      await eventually(async () => void (await service.temporal.workflow.getHandle(expiryOf(quote)).describe()));
      await waits(expiryOf(quote));
      await revise(quote);
      await eventually(async () => {
        const { events } = await service.temporal.workflow.getHandle(expiryOf(quote)).fetchHistory();
        assert.ok(
          events?.some((event) => event.workflowExecutionSignaledEventAttributes),
          'it was not signalled',
        );
      });
      await waits(expiryOf(quote));
      await setStatus(quote, 'WON');
      return { workflowId: expiryOf(quote) };
    });

    path('expiryReminder', 'mail-refused', async () => {
      const quote = await makeQuote(service, business, 'reject+550');
      await service.rows("update quotes set expires_at = now() + interval '3 days 10 seconds' where id = $1", quote.id);
      await setStatus(quote, 'SENT');
      await eventually(async () => {
        const [row] = await service.rows('select mail from expiry_reminders where quote_id = $1', quote.id);
        assert.equal(row?.['mail'], 'FAILED');
      });
      await setStatus(quote, 'WON');
      return { workflowId: expiryOf(quote) };
    });

    path('expiryReminder', 'expired', async () => {
      const quote = await makeQuote(service, business);
      await service.rows("update quotes set expires_at = now() + interval '10 seconds' where id = $1", quote.id);
      await setStatus(quote, 'SENT');
      await ended(expiryOf(quote));
      const events = "select 1 from outbox_events where quote_id = $1 and type = 'quote.expired'";
      assert.equal((await service.rows(events, quote.id)).length, 1);
      return { workflowId: expiryOf(quote) };
    });

    /** A quote whose follow-up of the first day was mailed. */
    async function followedUp(): Promise<Quote> {
      const quote = await makeQuote(service, business);
      await service.rows("update tenants set follow_up_days = '{1}', updated_at = now() - interval '9 days'");
      assert.equal((await share(service, business, quote)).status, 200);
      await eventually(async () => void (await service.temporal.workflow.getHandle(expiryOf(quote)).describe()));
      await waits(expiryOf(quote));
      // Its time is past, as after an outage of the worker.
      await service.rows(
        "update quotes set shared_at = now() - interval '3 days', updated_at = now() - interval '4 days' where id = $1",
        quote.id,
      );
      await service.temporal.workflow.getHandle(expiryOf(quote)).signal(signals.reschedule);
      await eventually(async () => {
        const [row] = await service.rows('select mail from follow_ups where quote_id = $1', quote.id);
        assert.equal(row?.['mail'], 'SENT');
      });
      await waits(expiryOf(quote));
      return quote;
    }

    path('expiryReminder', 'followed-up-and-won', async () => {
      const quote = await followedUp();
      await setStatus(quote, 'WON');
      return { workflowId: expiryOf(quote) };
    });

    path('expiryReminder', 'followed-up-reminded-and-expired', async () => {
      const quote = await followedUp();
      await service.rows("update quotes set expires_at = now() + interval '20 seconds' where id = $1", quote.id);
      await service.temporal.workflow.getHandle(expiryOf(quote)).signal(signals.reschedule);
      await ended(expiryOf(quote));
      const sql = `select e.mail, e.announced_at is not null as expiring, q.announced_expiry = q.expires_at as expired
         from quotes q join expiry_reminders e on e.quote_id = q.id where q.id = $1`;
      assert.deepEqual(await service.rows(sql, quote.id), [{ mail: 'SENT', expiring: true, expired: true }]);
      return { workflowId: expiryOf(quote) };
    });

    /** The run that a settings change starts for so many SENT quotes. */
    const rescheduling = async (quotes: number) => {
      const { id: clientId } = await post('/api/clients', { contactName: 'Laura', email: `${newId()}@cliente.test` });
      const items = [{ productName: 'Silla', quantity: 1, unitPrice: 10 }];
      for (let i = 0; i < quotes; i += 1) await post('/api/quotes', { clientId, items });
      await service.rows("update quotes set status = 'SENT' where tenant_id = $1", business.tenantId);
      return remindDaysBefore(5);
    };
    const remindDaysBefore = async (reminderDaysBefore: number) => {
      const settings = { companyName: 'Acme', email: 'acme@dueno.test', reminderDaysBefore };
      const res = await service.http.request('PUT', '/api/settings', { body: settings, headers: business.owner });
      assert.equal(res.status, 200, JSON.stringify(res.body));
      const newest = `select id from outbox_events where tenant_id = $1 and type = 'tenant.settings_changed'
      order by sequence desc limit 1`;
      return `resched.${await one(newest, business.tenantId)}`;
    };

    path('rescheduleReminders', 'done', async () => {
      const workflowId = await rescheduling(1);
      await ended(workflowId);
      return { workflowId };
    });

    path('rescheduleReminders', 'superseded', async () => {
      const workflowId = await rescheduling(21);
      // The first page is under way.
      await one('select quote_id from expiry_reminders where tenant_id = $1 and reminder_days = 5', business.tenantId);
      await remindDaysBefore(6);
      await ended(workflowId);
      return { workflowId };
    });

    path('rescheduleReminders', 'continued-as-new', async () => {
      const workflowId = await rescheduling(61);
      const { runId } = await eventually(() => service.temporal.workflow.getHandle(workflowId).describe(), 30_000);
      await ended(workflowId);
      return { workflowId, runId };
    });

    path('quoteLifecycle', 'expired', async () => {
      const quote = await makeQuote(service, business);
      const handle = service.temporal.workflow.getHandle(quote.workflowId);
      const { runId } = await eventually(() => handle.describe());
      await eventually(async () => assert.ok(await handle.query(queries.currentState), 'it knows nothing'));
      await service.rows("update quotes set expires_at = now() - interval '31 days' where id = $1", quote.id);
      // The row has changed behind the run's back; the next event makes it look.
      await revise(quote);
      return { workflowId: quote.workflowId, runId };
    });

    path('quoteLifecycle', 'continued-as-new', async () => {
      const quote = await makeQuote(service, business);
      const handle = service.temporal.workflow.getHandle(quote.workflowId);
      const { runId } = await eventually(() => handle.describe());
      await eventually(async () => {
        await revise(quote);
        await waits(quote.workflowId);
        assert.notEqual((await handle.describe()).runId, runId);
      }, 90_000);
      return { workflowId: quote.workflowId, runId };
    });

    path('quoteLifecycle', 'continued-then-shared', async () => {
      const quote = await makeQuote(service, business);
      const handle = service.temporal.workflow.getHandle(quote.workflowId);
      const { runId } = await eventually(() => handle.describe());
      await eventually(async () => {
        await revise(quote);
        assert.notEqual((await handle.describe()).runId, runId);
      }, 90_000);
      const next = await handle.describe();
      assert.equal((await share(service, business, quote)).status, 200);
      await setStatus(quote, 'WON');
      return { workflowId: quote.workflowId, runId: next.runId };
    });

    /** Waits until the quote's reminder is there: from then on its lifecycle tells it of changes. */
    const reminded = (quote: Quote) =>
      eventually(async () => void (await service.temporal.workflow.getHandle(expiryOf(quote)).describe()));

    path(
      'quoteLifecycle',
      'shared-and-won',
      async () => {
        const quote = await makeQuote(service, business);
        assert.equal((await share(service, business, quote)).status, 200);
        await reminded(quote);
        await setStatus(quote, 'WON');
        return { workflowId: quote.workflowId };
      },
      'long',
    );

    path(
      'quoteLifecycle',
      'shared-twice-and-won',
      async () => {
        const quote = await makeQuote(service, business);
        assert.equal((await share(service, business, quote)).status, 200);
        await reminded(quote);
        await waits(expiryOf(quote));
        assert.equal((await share(service, business, quote)).status, 200);
        await eventually(async () => {
          const { events } = await service.temporal.workflow.getHandle(expiryOf(quote)).fetchHistory();
          assert.ok(
            events?.some((event) => event.workflowExecutionSignaledEventAttributes),
            'its reminder was not signalled',
          );
        });
        await setStatus(quote, 'WON');
        return { workflowId: quote.workflowId };
      },
      'long',
    );

    path(
      'quoteLifecycle',
      'refused-then-shared',
      async () => {
        const quote = await makeQuote(service, business, 'reject+550');
        assert.equal((await share(service, business, quote)).status, 500);
        await service.rows(
          'update clients set email = $1 where id = (select client_id from quotes where id = $2)',
          `${newId()}@cliente.test`,
          quote.id,
        );
        assert.equal((await share(service, business, quote)).status, 200);
        await reminded(quote);
        await setStatus(quote, 'WON');
        return { workflowId: quote.workflowId };
      },
      'long',
    );

    path('quoteLifecycle', 'refused-and-closed', async () => {
      const quote = await makeQuote(service, business, 'reject+550');
      assert.equal((await share(service, business, quote)).status, 500);
      await setStatus(quote, 'SENT');
      await setStatus(quote, 'WON');
      return { workflowId: quote.workflowId };
    });

    path('quoteLifecycle', 'partly-refused', async () => {
      const quote = await makeQuote(service, business);
      const body = { to: [`${newId()}@persona.test`, 'reject+550@persona.test'], message: 'Hola' };
      const res = await service.http.post(`/api/quotes/${quote.id}/share`, body, business.owner);
      assert.deepEqual([res.status, res.body.rejected], [200, ['reject+550@persona.test']]);
      await setStatus(quote, 'WON');
      return { workflowId: quote.workflowId };
    });

    path('quoteLifecycle', 'won-and-shared-again', async () => {
      const quote = await makeQuote(service, business);
      await setStatus(quote, 'SENT');
      await setStatus(quote, 'WON');
      await ended(quote.workflowId);
      assert.equal((await share(service, business, quote)).status, 200);
      return { workflowId: quote.workflowId };
    });
  });
