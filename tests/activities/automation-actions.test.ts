import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { ApplicationFailure } from '@temporalio/common';
import type { ActionRef } from '../../activities/automation-action.ts';
import type { AutomationAction } from '../../domain/automation.ts';
import { newId } from '../../db/ids.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { inTime } from '../in-time.ts';
import { needs, testStack } from '../stack.ts';
import { attempts } from './attempts.ts';
import { automationSteps, isNonRetryable, OWN_RUN, triggeredRun } from './automation-world.ts';
import { rows } from '../worker/dispatcher-world.ts';

needs('temporal', 'storage', 'inbox');

type Steps = Awaited<ReturnType<typeof automationSteps>>;

/** What an action does, once, in PostgreSQL, in the inbox and at endpoints. Workflow tests tell when it is asked to. */
describe('An action of an automation', () => {
  let steps: Steps;
  let business: build.Business;

  before(async () => {
    steps = await automationSteps();
    business = await build.business();
  });

  async function acting(action: AutomationAction, { clientFields = {} }: { clientFields?: object } = {}) {
    const client = await build.client(business.owner, { ...clientFields });
    const quote = await build.quote(business.owner, { clientId: client.id });
    return { client, quote, ...(await triggeredRun(business, quote.id, { actions: [action] })) };
  }

  /** As it happens when its answer is lost, or another worker takes it up meanwhile. */
  const twice = async (step: () => Promise<unknown>) => {
    await Promise.all([step(), step()]);
    await step();
  };

  const messagesTo = async (email: string) =>
    (await (await testStack()).inbox.messages()).filter(({ to }) => to.includes(email));

  describe('send_notification', () => {
    const action = {
      type: 'send_notification',
      title: 'COT-{{quote.quoteNumber}} de {{client.contactName}}',
      body: 'Total {{quote.total}}',
    } as const;

    it('tells each owner once, with the variables put in', async () => {
      const { quote, first, automationId } = await acting(action);
      const second = await build.member(business, { role: 'OWNER' });
      await build.member(business);

      await twice(() => steps.notifyOwners(first));

      const notifications = await rows(
        'select user_id, type, title, body, metadata from notifications where event_id = $1',
        `${first.logId}.0`,
      );
      const title = `COT-${quote.quoteNumber} de Laura Méndez`;
      assert.deepEqual(new Set(notifications.map((row) => row['user_id'])), new Set([business.userId, second.userId]));
      assert.equal(notifications.length, 2);
      assert.deepEqual(notifications.map(({ type, title: said, body }) => [type, said, body])[0], [
        'automation',
        title,
        'Total $232.00',
      ]);
      assert.deepEqual(JSON.parse(String(notifications[0]?.['metadata'])), {
        quoteId: quote.id,
        quoteNumber: quote.quoteNumber,
        automationId,
      });
    });

    it('is final when the business has no active owner', async () => {
      const other = await build.business();
      const quote = await build.quote(other.owner);
      const { first } = await triggeredRun(other, quote.id, { actions: [action] });
      await rows('update users set is_active = false where id = $1', other.userId);

      await assert.rejects(
        steps.notifyOwners(first),
        isNonRetryable('NoRecipient', 'el negocio no tiene dueños activos'),
      );
    });
  });

  describe('change_status', () => {
    const to = (newStatus: 'SENT' | 'WON' | 'GENERATED' | 'ACCEPTED' | 'REJECTED') =>
      ({ type: 'change_status', newStatus }) as const;

    it('moves the quote once, with an audit entry that names the run and an event that says what it came of', async () => {
      const { quote, first, automationId, eventId } = await acting(to('SENT'));

      await twice(() => steps.moveQuote(first));

      const events = await rows(
        `select type, root_event_id, depth, automation_path from outbox_events where quote_id = $1 order by sequence`,
        quote.id,
      );
      assert.deepEqual(events, [
        { type: 'quote.created', root_event_id: eventId, depth: 0, automation_path: '' },
        { type: 'quote.status_changed', root_event_id: eventId, depth: 1, automation_path: automationId },
      ]);
      const audit = await rows(
        "select actor, user_id, metadata from audit_logs where entity_id = $1 and action = 'status_change'",
        quote.id,
      );
      assert.deepEqual(
        audit.map(({ metadata, ...entry }) => ({ ...entry, run: JSON.parse(String(metadata)).run })),
        [{ actor: 'automation', user_id: null, run: OWN_RUN }],
      );
    });

    for (const status of ['ACCEPTED', 'REJECTED'] as const) {
      it(`to ${status} is no answer of the client: neither its event nor its mails`, async () => {
        const { quote, first } = await acting(to('SENT'));
        await steps.moveQuote(first);
        const next = await triggeredRun(business, quote.id, { actions: [to(status)] });
        await steps.moveQuote(next.first);

        const written = await rows(
          `select type from outbox_events where quote_id = $1 and type not in ('quote.created', 'quote.status_changed')
           union all select kind from mails where quote_id = $1`,
          quote.id,
        );
        const [moved] = await rows('select status, answered_at from quotes where id = $1', quote.id);
        assert.deepEqual([moved, written], [{ status, answered_at: null }, []]);
      });
    }

    it('goes on in a chain that an automation began', async () => {
      const { quote, first, automationId, eventId } = await acting(to('SENT'));
      await steps.moveQuote(first);

      const next = await triggeredRun(business, quote.id, { actions: [to('WON')] });
      await steps.moveQuote(next.first);

      const [event] = await rows(
        `select root_event_id, depth, automation_path from outbox_events where quote_id = $1
          order by sequence desc limit 1`,
        quote.id,
      );
      assert.deepEqual(event, {
        root_event_id: eventId,
        depth: 2,
        automation_path: `${automationId},${next.automationId}`,
      });
    });

    it('does nothing when the quote is there already', async () => {
      const { quote, first } = await acting(to('GENERATED'));

      await steps.moveQuote(first);

      assert.equal((await rows('select 1 from outbox_events where quote_id = $1', quote.id)).length, 1);
    });

    it('is final when automations may not make the move, and leaves the quote as it is', async () => {
      const { quote, first } = await acting(to('WON'));

      await assert.rejects(
        steps.moveQuote(first),
        isNonRetryable('MoveRefused', 'No se puede cambiar de GENERATED a WON'),
      );

      assert.deepEqual(await rows('select status from quotes where id = $1', quote.id), [{ status: 'GENERATED' }]);
    });

    it('of another business is not found', async () => {
      const { first } = await acting(to('SENT'));
      const other = await build.business();

      await assert.rejects(steps.moveQuote({ ...first, tenantId: other.tenantId }), isNonRetryable('RunGone'));
    });
  });

  describe('add_label', () => {
    const revisionOf = async (quoteId: string): Promise<number> => {
      const [row] = await rows('select revision from quotes where id = $1', quoteId);
      return Number(row?.['revision']);
    };
    async function label() {
      const id = newId();
      await rows(
        "insert into labels (id, tenant_id, name, color) values ($1, $2, $1, '#ff0000')",
        id,
        business.tenantId,
      );
      return id;
    }

    it('puts the label on the quote once, which raises its revision', async () => {
      const labelId = await label();
      const { quote, first } = await acting({ type: 'add_label', labelId });

      const before = await revisionOf(quote.id);

      await twice(() => steps.labelQuote(first));

      assert.deepEqual(await rows('select label_id from quote_labels where quote_id = $1', quote.id), [
        { label_id: labelId },
      ]);
      const audit = await rows(
        "select actor from audit_logs where entity_id = $1 and metadata like '%labelAdded%'",
        quote.id,
      );
      assert.deepEqual(audit, [{ actor: 'automation' }]);
      assert.equal(await revisionOf(quote.id), before + 1);
    });

    it('counts as a change of the quote', async () => {
      const { quote, first } = await acting({ type: 'add_label', labelId: await label() });
      const changedAt = () => rows('select changed_at::text as at from quotes where id = $1', quote.id);
      const before = await changedAt();

      await steps.labelQuote(first);

      assert.notDeepEqual(await changedAt(), before);
    });

    it('is final when the label was deleted', async () => {
      const labelId = await label();
      const { first } = await acting({ type: 'add_label', labelId });
      await rows('delete from labels where id = $1', labelId);

      await assert.rejects(steps.labelQuote(first), isNonRetryable('LabelGone', 'la etiqueta ya no existe'));
    });
  });

  describe('create_reminder', () => {
    const action = {
      type: 'create_reminder',
      delayMinutes: 60,
      message: 'Llamar a {{client.contactName}}',
    } as const;

    it('makes one reminder for the quote’s creator and answers the same each time', async () => {
      const { quote, first, automationId } = await acting(action);
      const began = Date.now();

      const answers = await Promise.all([steps.createReminder(first), steps.createReminder(first)]);
      answers.push(await steps.createReminder(first));

      const made = await rows(
        'select id, user_id, automation_id, message, status, due_at from reminders where quote_id = $1',
        quote.id,
      );
      const [{ id, due_at: dueAt, ...row } = {}] = made;
      assert.equal(made.length, 1);
      assert.deepEqual(row, {
        user_id: business.userId,
        automation_id: automationId,
        message: 'Llamar a Laura Méndez',
        status: 'PENDING',
      });
      const at = Number(dueAt) - 3_600_000;
      assert.ok(at >= began && at <= Date.now(), `an hour after ${at}`);
      assert.deepEqual(new Set(answers.map(({ reminderId }) => reminderId)), new Set([id]));
    });

    it('tells the creator once when it is due, and is FIRED', async () => {
      const { first } = await acting(action);
      const { reminderId } = await steps.createReminder(first);
      const ref = { tenantId: business.tenantId, reminderId };
      assert.ok((await steps.readReminder(ref))?.dueAt);

      await twice(() => steps.fireReminder(ref));

      const notifications = await rows('select user_id, type, body from notifications where event_id = $1', reminderId);
      assert.deepEqual(notifications, [{ user_id: business.userId, type: 'reminder', body: 'Llamar a Laura Méndez' }]);
      const [row] = await rows('select status, fired_at is not null as fired from reminders where id = $1', reminderId);
      assert.deepEqual(row, { status: 'FIRED', fired: true });
      assert.equal(await steps.readReminder(ref), undefined);
    });

    for (const [what, sql] of [
      ['the business went back to FREE', "update tenants set plan = 'FREE' where id = $1"],
      ['the creator was deactivated', 'update users set is_active = false where tenant_id = $1'],
    ] as const) {
      it(`is CANCELLED when ${what} before it was due`, async () => {
        const other = await build.business();
        const quote = await build.quote(other.owner);
        const { first } = await triggeredRun(other, quote.id, { actions: [action] });
        const { reminderId } = await steps.createReminder(first);
        await rows(sql, other.tenantId);

        assert.equal(await steps.fireReminder({ tenantId: other.tenantId, reminderId }), 'cancelled');

        assert.deepEqual(await rows('select status from reminders where id = $1', reminderId), [
          { status: 'CANCELLED' },
        ]);
        assert.deepEqual(await rows('select 1 from notifications where event_id = $1', reminderId), []);
      });
    }
  });

  describe('send_email', () => {
    const mail = (to: 'client' | 'owner' | 'custom', customEmail?: string, link = '') =>
      ({
        type: 'send_email',
        to,
        ...(customEmail && { customEmail }),
        subject: 'Su cotización {{quote.quoteNumber}}',
        body: `Hola {{client.contactName}}:\n\nVéala en ${link}.`,
      }) as const;

    it('mails the client once, with the variables put in and a Message-ID made from the run', async () => {
      const action = mail('client', undefined, '{{quote.url}}');
      const { client, quote, first } = await acting(action, { clientFields: { contactName: 'Ana <b>' } });
      await build.patchQuote(business, quote.id, { status: 'SENT' });

      await steps.sendAutomationEmail(first);
      await steps.sendAutomationEmail(first);

      const [message, ...more] = await messagesTo(client.email);
      assert.equal(more.length, 0);
      assert.equal(message?.subject, `Su cotización ${quote.quoteNumber}`);
      assert.match(message?.messageId ?? '', new RegExp(`<auto\\.${first.logId}\\.0@`));
      assert.match(message?.text ?? '', /Hola Ana <b>:/);
      assert.ok(message?.text?.includes(`/p/${quote.publicToken}`));
      assert.match(message?.html ?? '', /Ana &lt;b&gt;/);
      assert.match(message?.html ?? '', new RegExp(`<a href="[^"]+/p/${quote.publicToken}"`));
    });

    it('mails every active owner, each once, also when one address is refused', async () => {
      const own = await build.business();
      const second = await build.member(own, { role: 'OWNER' });
      await rows('update users set email = $1 where id = $2', `reject+550@${newId()}.test`, own.userId);
      const quote = await build.quote(own.owner);
      const { first } = await triggeredRun(own, quote.id, { actions: [mail('owner')] });

      await assert.rejects(steps.sendAutomationEmail(first), isNonRetryable('SmtpRefused'));
      await assert.rejects(steps.sendAutomationEmail(first), isNonRetryable('SmtpRefused'));

      assert.equal((await messagesTo(`${second.userId}@colaborador.test`)).length, 1);
    });

    it('mails the address that the action names', async () => {
      const address = `${newId()}@otro.test`;
      const { first } = await acting(mail('custom', address));

      await steps.sendAutomationEmail(first);

      assert.equal((await messagesTo(address)).length, 1);
    });

    it('is final when the client has no address', async () => {
      const { client, first } = await acting(mail('client'));
      await rows('update clients set email = null where id = $1', client.id);

      await assert.rejects(
        steps.sendAutomationEmail(first),
        isNonRetryable('NoRecipient', 'el cliente no tiene correo electrónico'),
      );
    });

    it('may be tried again when the mail server asks to come back later, and is sent then', async () => {
      const { client, first } = await acting(mail('client'), { clientFields: { email: `defer+1@${newId()}.test` } });

      await assert.rejects(steps.sendAutomationEmail(first), (error) => !isNonRetryable('SmtpRefused')(error));
      await steps.sendAutomationEmail(first);

      assert.equal((await messagesTo(client.email)).length, 1);
    });
  });

  describe('send_email after an attempt that mailed and could not note it', () => {
    const action = { type: 'send_email', to: 'client', subject: 'Hola', body: 'Hola' } as const;
    const isUnknown = isNonRetryable('SmtpMaybeSent', 'no se sabe si el correo salió');
    const leaveOneAttempt = ({ logId }: ActionRef) =>
      rows('update automation_steps set attempts = 5 where log_id = $1 and attempts > 0', logId);

    it('fails as SmtpMaybeSent when its worker died and the client has no address any more', async () => {
      const { client, first } = await acting(action);
      const attempt = attempts();

      await attempt(() => steps.mails.sendAutomationEmail(first));
      await rows('delete from automation_steps where log_id = $1', first.logId);
      await rows('update clients set email = null where id = $1', client.id);

      await assert.rejects(
        attempt(() => steps.mails.sendAutomationEmail(first)),
        isUnknown,
      );
    });

    it('fails as SmtpMaybeSent when the last attempt does not reach the mail server', async () => {
      const { client, first } = await acting(action);
      const attempt = attempts();
      const { inbox } = await testStack();
      await rows(`create function refuse_note() returns trigger language plpgsql as $$ begin raise 'no note'; end $$`);
      await rows(
        `create trigger refuse_note before insert or update on automation_steps for each row
           when (new.log_id = '${first.logId}' and new.done_at is not null) execute function refuse_note()`,
      );
      try {
        await assert.rejects(
          attempt(() => steps.mails.sendAutomationEmail(first)),
          /no note/,
        );
        inbox.setMode('hang');
        await leaveOneAttempt(first);
        await assert.rejects(
          attempt(() => steps.mails.sendAutomationEmail(first)),
          isUnknown,
        );
      } finally {
        inbox.setMode('accept');
        await rows('drop function refuse_note() cascade');
      }

      assert.equal((await messagesTo(client.email)).length, 1);
    });

    it('fails as what it is when every attempt before is known to have sent nothing', async () => {
      const { first } = await acting(action, { clientFields: { email: `defer+2@${newId()}.test` } });
      const attempt = attempts();
      const isAway = { message: /the mail server is not available/ };

      await assert.rejects(
        attempt(() => steps.mails.sendAutomationEmail(first)),
        isAway,
      );
      await leaveOneAttempt(first);
      await assert.rejects(
        attempt(() => steps.mails.sendAutomationEmail(first)),
        isAway,
      );
    });
  });

  describe('fire_webhook', () => {
    const call = (url: string, fields: object = {}) =>
      ({ type: 'fire_webhook', url, includeItems: true, ...fields }) as const;

    it('posts the quote once, unsigned, with the trigger and the headers of the action', async () => {
      await using endpoint = await receiver();
      const { quote, first } = await acting(call(endpoint.url, { headers: { 'X-Origen': 'cotizaciones' } }));

      await steps.fireWebhook(first);
      await steps.fireWebhook(first);

      assert.equal(endpoint.calls.length, 1);
      const [got] = endpoint.calls;
      assert.ok(got);
      const { headers, body } = got;
      assert.equal(headers['x-service-event'], 'QUOTE_CREATED');
      assert.equal(headers['x-origen'], 'cotizaciones');
      assert.equal(headers['x-service-signature'], undefined);
      assert.equal(headers['webhook-signature'], undefined);
      const sent = JSON.parse(body);
      assert.deepEqual(Object.keys(sent), ['event', 'timestamp', 'data']);
      assert.equal(sent.event, 'QUOTE_CREATED');
      assert.equal(sent.data.quote.id, quote.id);
      assert.equal(sent.data.quote.total, 232);
      assert.deepEqual(sent.data.quote.items, [
        { productName: 'Silla', model: null, unitPrice: 100, quantity: 2, discountPct: 0 },
      ]);
    });

    it('is final without a call when an earlier attempt claimed it and never noted an answer', async () => {
      await using endpoint = await receiver();
      const { first } = await acting(call(endpoint.url));
      await rows(
        `insert into automation_steps (tenant_id, log_id, action_index, part, started_at)
         values ($1, $2, $3, '', now() - interval '11 seconds')`,
        first.tenantId,
        first.logId,
        first.index,
      );

      await assert.rejects(steps.fireWebhook(first), isNonRetryable('WebhookFailed', 'la llamada quedó interrumpida'));

      assert.equal(endpoint.calls.length, 0);
    });

    it('waits while an attempt that was taken for lost is still calling, and then finds its answer noted', async () => {
      const held: ServerResponse[] = [];
      await using endpoint = await receiver((res) => void held.push(res));
      const { first } = await acting(call(endpoint.url));

      const slow = steps.fireWebhook(first);
      await eventually(() => assert.equal(endpoint.calls.length, 1));
      await assert.rejects(steps.fireWebhook(first), (error: unknown) => {
        assert.ok(error instanceof ApplicationFailure, String(error));
        assert.deepEqual([error.type, error.nonRetryable], ['CallUnderWay', false]);
        return true;
      });
      held[0]?.end('ok');
      await slow;
      await steps.fireWebhook(first);

      assert.equal(endpoint.calls.length, 1);
    });

    it('leaves the items out when the action says so', async () => {
      await using endpoint = await receiver();
      const { first } = await acting(call(endpoint.url, { includeItems: false }));

      await steps.fireWebhook(first);

      assert.equal('items' in JSON.parse(endpoint.calls[0]?.body ?? '').data.quote, false);
    });

    it('is final when the endpoint answers 500', async () => {
      await using endpoint = await receiver((res) => void res.writeHead(500).end());
      const { first } = await acting(call(endpoint.url));

      await assert.rejects(steps.fireWebhook(first), isNonRetryable('WebhookFailed', 'respondió 500'));
    });

    it('is final when the endpoint hangs for five seconds', async () => {
      await using endpoint = await receiver(() => undefined);
      const { first } = await acting(call(endpoint.url));
      const began = performance.now();

      await inTime(
        6_500,
        assert.rejects(steps.fireWebhook(first), isNonRetryable('WebhookFailed', 'sin respuesta (timeout)')),
      );

      assert.ok(performance.now() - began > 3_500);
    });
  });
});
