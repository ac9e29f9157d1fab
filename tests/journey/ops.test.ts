import assert from 'node:assert/strict';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { historyText, personalData } from '../../ops/history-file.ts';
import { BOOKMARKS, filled } from '../../dev/pages/bookmarks.ts';
import { expiryMoments } from '../../domain/expiry.ts';
import { utcText } from '../../domain/utc-text.ts';
import { rows } from '../worker/dispatcher-world.ts';
import * as build from '../api/build.ts';
import { type Receiver, receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { needs, testStack, testWorker } from '../stack.ts';

needs('temporal', 'storage', 'inbox');

const DAY_MS = 24 * 60 * 60 * 1000;

/** What operators see of an execution in Temporal: attributes, summaries and details. */
describe('Temporal UI', () => {
  let connection: Connection;
  let temporal: TemporalClient;
  let business: build.Business;
  let broken: Receiver;
  let quote: Awaited<ReturnType<typeof build.quote>>;
  let webhookId: string;
  let automationId: string;
  const expiresAt = new Date(Date.now() + 20 * DAY_MS).toISOString();

  before(async () => {
    const { address, namespace } = (await testStack()).temporal;
    connection = Connection.lazy({ address });
    temporal = new TemporalClient({ connection, namespace });
    await testWorker();
    const app = await service();
    business = await build.business();
    broken = await receiver((res) => res.writeHead(500).end());
    const post = async (path: string, body?: unknown) => {
      const res = await app.post(path, body, business.owner);
      assert.ok(res.status < 300, `${path}: ${res.status} ${JSON.stringify(res.body)}`);
      return String(res.body?.id);
    };
    webhookId = await post('/api/webhooks', { url: broken.url, events: ['quote.created'] });
    const remind = { type: 'create_reminder', delayMinutes: 60, message: 'Llamar' };
    const rule = { name: 'Seguimiento', trigger: 'QUOTE_CREATED' };
    await post('/api/automations', { ...rule, actions: [remind] });
    automationId = await post('/api/automations', { ...rule, actions: [remind], delayMinutes: 7 * 24 * 60 });
    await post('/api/collaborators', { email: `carlos.${business.userId}@colaborador.test`, name: 'Carlos' });
    quote = await build.quote(business.owner, { expiresAt });
    await app.patch(`/api/quotes/${quote.id}/status`, { status: 'SENT' }, business.owner);
  });
  after(async () => {
    await broken[Symbol.asyncDispose]();
    await connection.close();
  });

  /** The newest execution of that type for this business, once it is `ready`. */
  async function look(query: string, ready: (run: Awaited<ReturnType<typeof read>>) => void) {
    return eventually(async () => {
      for await (const { workflowId } of temporal.workflow.list({
        query: `TenantId = '${business.tenantId}' and ${query}`,
      })) {
        const run = await read(workflowId);
        ready(run);
        return run;
      }
      return assert.fail(`there is no run with ${query}`);
    });
  }

  async function read(workflowId: string) {
    const handle = temporal.workflow.getHandle(workflowId);
    // In this order, so that the description includes the steps.
    const history = await handle.fetchHistory();
    const description = await handle.describe();
    // The UI queries it as well; a worker responds.
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    const steps = (history.events ?? []).filter(
      (event) => event.activityTaskScheduledEventAttributes ?? event.timerStartedEventAttributes,
    );
    return {
      workflowId,
      summary: await description.staticSummary(),
      details: currentDetails,
      attributes: Object.fromEntries(
        Object.entries(description.searchAttributes).filter(
          ([name]) => name !== 'BuildIds' && !name.startsWith('Temporal'),
        ),
      ),
      /** Of each activity and timer so far; an empty text for one that has none. */
      steps: steps.map(({ userMetadata }) =>
        Buffer.from(userMetadata?.summary?.data ?? [])
          .toString()
          .replaceAll('"', ''),
      ),
      pending: description.raw.pendingActivities?.[0],
      text: historyText(history),
    };
  }

  /** Every step has a summary, and none contains personal data. */
  function assertReadable({ steps, text }: Awaited<ReturnType<typeof read>>): void {
    assert.deepEqual(
      steps.filter((step) => !/^\p{Lu}/u.test(step)),
      [],
    );
    assert.deepEqual(personalData(text), []);
  }

  it('a SENT quote’s lifecycle shows what it waits for, until when, and its state as attributes', async () => {
    const run = await look("WorkflowType = 'quoteLifecycle'", ({ attributes, steps }) => {
      assert.ok(attributes['DueAt'], 'it has not looked at its quote');
      assert.match(steps.at(-1) ?? '', /respuesta/);
    });

    const end = new Date(Date.parse(expiresAt) + 30 * DAY_MS);
    assert.deepEqual(run.attributes, {
      TenantId: [business.tenantId],
      QuoteId: [quote.id],
      QuoteNumber: [quote.quoteNumber],
      QuoteStatus: ['SENT'],
      DueAt: [end],
    });
    assert.equal(run.summary, `Cotización COT-${quote.quoteNumber}`);
    assert.match(run.details, /Espera la respuesta del cliente o la decisión del negocio/);
    assert.ok(run.details.includes(`Vence: ${utcText(expiresAt)}`), run.details);
    assert.ok(run.steps.at(-1)?.endsWith(`termina sola el ${utcText(end.getTime())}`), run.steps.at(-1));
    assertReadable(run);
  });

  it('an expiry reminder shows both times, and the next one as DueAt', async () => {
    const run = await look("WorkflowType = 'expiryReminder'", ({ steps }) => assert.equal(steps.length, 2));

    const timing = {
      quoteId: quote.id,
      expiresAt: new Date(expiresAt),
      reminderDaysBefore: 3,
      timeZone: 'America/Mexico_City',
    };
    const { remindAt } = expiryMoments(timing);
    assert.deepEqual(run.attributes['DueAt'], [remindAt]);
    assert.deepEqual(run.attributes['QuoteNumber'], [quote.quoteNumber]);
    assert.equal(run.summary, `Vencimiento · COT-${quote.quoteNumber}`);
    assert.ok(run.details.includes(`- Recordatorio al cliente: ${utcText(remindAt.getTime())}`), run.details);
    assert.ok(run.steps[1]?.endsWith(utcText(remindAt.getTime())), run.steps[1]);
    assertReadable(run);
  });

  it('a failing delivery shows endpoint, response and attempt, and the time of the next one', async () => {
    const run = await look("WorkflowType = 'deliverWebhook'", ({ pending }) =>
      assert.ok(pending?.lastFailure, 'it has not failed yet'),
    );

    assert.deepEqual(run.attributes, {
      TenantId: [business.tenantId],
      QuoteId: [quote.id],
      QuoteNumber: [quote.quoteNumber],
      WebhookId: [webhookId],
      EventType: ['quote.created'],
    });
    assert.equal(run.summary, `Webhook · quote.created · COT-${quote.quoteNumber}`);
    const { host } = new URL(broken.url);
    const [, said = '', next = ''] =
      /^(.+); el siguiente, el (.+) UTC$/.exec(run.pending?.lastFailure?.message ?? '') ?? [];
    assert.match(said, new RegExp(`^${host}: respondió 500 en el intento \\d de 10$`));
    const retryAt = Number(run.pending?.scheduledTime?.seconds) * 1000;
    assert.ok(Math.abs(Date.parse(`${next}Z`) - retryAt) < 5_000, `${next} and ${new Date(retryAt).toISOString()}`);
    assertReadable(run);
  });

  it('a delayed automation shows until when it waits, its event and quote, and its next action', async () => {
    const run = await look(`AutomationId = '${automationId}'`, ({ steps }) => assert.equal(steps.length, 2));

    const [log] = await rows('select triggered_at from automation_logs where automation_id = $1', automationId);
    const triggeredAt = log?.['triggered_at'];
    assert.ok(triggeredAt instanceof Date);
    const dueAt = new Date(triggeredAt.getTime() + 7 * DAY_MS);
    assert.deepEqual(run.attributes, {
      TenantId: [business.tenantId],
      QuoteId: [quote.id],
      QuoteNumber: [quote.quoteNumber],
      AutomationId: [automationId],
      EventType: ['quote.created'],
      DueAt: [dueAt],
    });
    assert.equal(run.summary, `Automatización · quote.created · COT-${quote.quoteNumber}`);
    assert.ok(run.details.includes(`hasta el ${utcText(dueAt.getTime())}`), run.details);
    assert.match(run.details, /Acciones: create_reminder/);
    assert.ok(run.steps[1]?.endsWith(`hasta el ${utcText(dueAt.getTime())}`), run.steps[1]);
    assertReadable(run);
  });

  it('a reminder shows when it is due, and the automation that made it', async () => {
    const run = await look("WorkflowType = 'remind'", ({ steps }) => assert.equal(steps.length, 2));

    const [row] = await rows('select due_at, automation_id from reminders where quote_id = $1', quote.id);
    assert.deepEqual(run.attributes, {
      TenantId: [business.tenantId],
      QuoteId: [quote.id],
      QuoteNumber: [quote.quoteNumber],
      AutomationId: [row?.['automation_id']],
      DueAt: [row?.['due_at']],
    });
    assert.equal(run.summary, `Recordatorio · COT-${quote.quoteNumber}`);
    assert.ok(
      run.details.includes(
        `Espera hasta el ${utcText(String(row?.['due_at'] instanceof Date && row['due_at'].toISOString()))}`,
      ),
      run.details,
    );
    assertReadable(run);
  });

  it('an account mail shows until when it is retried, and not its recipient', async () => {
    const run = await look("WorkflowType = 'sendMail'", ({ steps }) => assert.equal(steps.length, 2));

    assert.deepEqual(run.attributes, { TenantId: [business.tenantId] });
    assert.equal(run.summary, 'Correo');
    assert.match(run.details, /se intenta hasta el \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    assertReadable(run);
  });

  it('the bookmarks of docs/operations.md find the executions that they are for', async () => {
    const known = {
      quoteId: quote.id,
      tenantId: business.tenantId,
      webhookId,
      automationId,
      quoteNumber: String(quote.quoteNumber),
    };
    // Nothing is late or failing here, and the mails are sent; tests/docs/bookmarks.test.ts covers the other cases.
    const hopeless = /^(overdue|bugs|mails)/;
    for (const { query } of BOOKMARKS.filter((bookmark) => !hopeless.test(bookmark.question))) {
      const whole = filled(query, { ...known, now: new Date().toISOString() });
      await eventually(async () => assert.ok((await temporal.workflow.count(whole)).count > 0, `none with ${whole}`));
    }
  });
});
