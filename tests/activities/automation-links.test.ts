import assert from 'node:assert/strict';
import type { AutomationAction } from '../../domain/automation.ts';
import { markQuoteSent } from '../../db/writes/mark-quote-sent.ts';
import { newId } from '../../db/ids.ts';
import * as build from '../api/build.ts';
import { type Service, service } from '../api/service.ts';
import { needs, testStack } from '../stack.ts';
import { automationSteps, isNonRetryable, triggeredRun } from './automation-world.ts';

needs('temporal', 'storage', 'inbox');

const NOT_SENT = 'la cotización no se ha enviado y su enlace no abre todavía';
const NOT_SHARED = 'la cotización se revisó para otro cliente y no se le ha compartido';

describe('An action with {{quote.url}} in its text', () => {
  let app: Service;
  let steps: Awaited<ReturnType<typeof automationSteps>>;
  let business: build.Business;
  before(async () => {
    app = await service();
    steps = await automationSteps();
    business = await build.business();
  });

  const mail = (fields: object = {}): AutomationAction => ({
    type: 'send_email',
    to: 'client',
    subject: 'Su cotización',
    body: 'Véala en {{quote.url}}',
    ...fields,
  });
  const messagesTo = async (email: string) =>
    (await (await testStack()).inbox.messages()).filter(({ to }) => to.includes(email));
  const run = async (quoteId: string, action: AutomationAction) =>
    (await triggeredRun(business, quoteId, { actions: [action] })).first;
  const send = (id: string) => app.patch(`/api/quotes/${id}/status`, { status: 'SENT' }, business.owner);
  const share = (quoteId: string) =>
    app.deps.withTenant(business.tenantId, (trx) =>
      markQuoteSent(
        trx,
        { tenantId: business.tenantId, userId: business.userId, kind: 'user', movesQuotesAs: 'mail', requestId: null },
        quoteId,
        newId(),
      ),
    );

  const texts: readonly [what: string, action: AutomationAction, step: 'sendAutomationEmail' | 'notifyOwners' | 'createReminder'][] = [
    ['the body of a mail to the client', mail(), 'sendAutomationEmail'],
    ['the subject of a mail', mail({ subject: 'Ver {{ quote.url }}', body: 'Hola' }), 'sendAutomationEmail'],
    ['a mail to the owners', mail({ to: 'owner' }), 'sendAutomationEmail'],
    ['a mail to another address', mail({ to: 'custom', customEmail: 'otro@x.test' }), 'sendAutomationEmail'],
    ['a notification', { type: 'send_notification', title: 'Nueva', body: '{{quote.url}}' }, 'notifyOwners'],
    ['a reminder', { type: 'create_reminder', delayMinutes: 5, message: 'Vea {{quote.url}}' }, 'createReminder'],
  ]; // prettier-ignore
  for (const [what, action, step] of texts)
    it(`is left out while the quote is GENERATED, in ${what}`, async () => {
      const made = await build.quote(business.owner);

      await assert.rejects(steps[step](await run(made.id, action)), isNonRetryable('ActionSkipped', NOT_SENT));

      assert.deepEqual(await messagesTo(made.client.email), []);
    });

  it('is done while the quote is GENERATED where no text has the link', async () => {
    const made = await build.quote(business.owner);

    await steps.sendAutomationEmail(await run(made.id, mail({ body: 'Total {{quote.total}} {{quote.urls}}' })));

    assert.equal((await messagesTo(made.client.email)).length, 1);
  });

  it('is done once the quote was sent', async () => {
    const made = await build.quote(business.owner);
    await send(made.id);

    await steps.sendAutomationEmail(await run(made.id, mail()));

    const [message] = await messagesTo(made.client.email);
    assert.ok(message?.text?.includes(`/p/${made.publicToken}`));
    assert.equal((await app.get(`/p/${made.publicToken}`)).status, 200);
  });

  it('is left out after a revision for another client, until the quote is shared with them', async () => {
    const made = await build.quote(business.owner);
    await send(made.id);
    const other = await build.client(business.owner);
    await app.post(`/api/quotes/${made.id}/revise`, { clientId: other.id, items: [build.ITEM] }, business.owner);

    await assert.rejects(
      steps.sendAutomationEmail(await run(made.id, mail())),
      isNonRetryable('ActionSkipped', NOT_SHARED),
    );
    assert.deepEqual(await messagesTo(other.email), []);

    await share(made.id);
    await steps.sendAutomationEmail(await run(made.id, mail()));
    assert.equal((await messagesTo(other.email)).length, 1);
  });

  it('is done after a revision for the same client', async () => {
    const made = await build.quote(business.owner);
    await send(made.id);
    await app.post(`/api/quotes/${made.id}/revise`, { clientId: made.client.id, items: [build.ITEM] }, business.owner);

    await steps.sendAutomationEmail(await run(made.id, mail()));

    assert.equal((await messagesTo(made.client.email)).length, 1);
  });
});

describe('Saving an automation with {{quote.url}}', () => {
  let app: Service;
  let business: build.Business;
  before(async () => {
    app = await service();
    business = await build.business();
  });

  const MESSAGE = 'el enlace de la cotización no abre hasta que se envía: mientras tanto la acción se omite';
  const body = (trigger: string, actions: readonly object[]) => ({ name: 'Avisar', trigger, actions });
  const withLink = { type: 'send_email', to: 'client', subject: 'Ver', body: '{{quote.url}}' };
  const plain = { type: 'send_notification', title: 'Nueva', body: '{{quote.total}}' };
  const toSent = { type: 'change_status', newStatus: 'SENT' };

  const cases: readonly [what: string, automation: object, warnings: readonly object[] | undefined][] = [
    ['warns for QUOTE_CREATED, by the paths of the texts', body('QUOTE_CREATED', [plain, { ...withLink, subject: '{{quote.url}}' }]), [{ path: 'actions.1.subject', message: MESSAGE }, { path: 'actions.1.body', message: MESSAGE }]],
    ['warns of a reminder too', body('QUOTE_CREATED', [{ type: 'create_reminder', delayMinutes: 1, message: '{{ quote.url }}' }]), [{ path: 'actions.0.message', message: MESSAGE }]],
    ['warns of what comes before the change to SENT only', body('QUOTE_CREATED', [withLink, toSent, withLink]), [{ path: 'actions.0.body', message: MESSAGE }]],
    ['does not warn after a change to SENT', body('QUOTE_CREATED', [toSent, withLink]), undefined],
    ['does not warn for QUOTE_SENT', body('QUOTE_SENT', [withLink]), undefined],
    ['does not warn without the link', body('QUOTE_CREATED', [plain]), undefined],
  ]; // prettier-ignore
  for (const [what, automation, warnings] of cases)
    it(what, async () => {
      const res = await app.post('/api/automations', automation, business.owner);

      assert.deepEqual([res.status, res.body.warnings], [201, warnings]);
    });

  it('warns when a change makes it so, and not in reads', async () => {
    const { body: made } = await app.post('/api/automations', body('QUOTE_SENT', [withLink]), business.owner);

    const changed = await app.patch(`/api/automations/${made.id}`, { trigger: 'QUOTE_CREATED' }, business.owner);
    const read = await app.get(`/api/automations/${made.id}`, business.owner);

    assert.deepEqual([changed.status, changed.body.warnings], [200, [{ path: 'actions.0.body', message: MESSAGE }]]);
    assert.equal('warnings' in read.body, false);
  });
});
