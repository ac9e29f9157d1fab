import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { AutomationLog } from '../../db/models/automation-log.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { type Service, service } from '../api/service.ts';
import { errorAt, filled, fieldsIn, open, submit, titleOf } from './browse.ts';

const MARKUP = '<b>"x"</b>';
const ESCAPED = '&lt;b&gt;&quot;x&quot;&lt;/b&gt;';
const NOTIFY = { type: 'send_notification', title: MARKUP, body: 'Hola' };
const NEW = '/app/automations/new';

describe('/app/automations', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const create = async ({ owner }: build.Business, fields: object = {}): Promise<string> => {
    const body = { name: MARKUP, trigger: 'QUOTE_SENT', actions: [NOTIFY], ...fields };
    return (await app.post('/api/automations', body, owner)).body.id;
  };
  const stored = async ({ owner }: build.Business, id: string) => (await app.get(`/api/automations/${id}`, owner)).body;

  /** The form after its button, with some fields filled in before. */
  const press = async (as: build.Business, html: string, button: string, values: Record<string, string> = {}) =>
    (await submit(NEW, [...filled(html, values, NEW), ['do', button]], { as: as.owner })).html;

  it('adds rows with its buttons, stores nothing before it is saved, and saves delays, conditions and headers', async () => {
    const business = await build.business();
    const { owner } = business;
    let { html } = await open(NEW, owner);
    html = await press(business, html, 'add-condition', { newCondition: 'total', name: MARKUP, trigger: 'QUOTE_SENT' });
    html = await press(business, html, 'add-condition', { newCondition: 'notes' });
    html = await press(business, html, 'add-action', { newAction: 'create_reminder' });
    html = await press(business, html, 'add-action', { newAction: 'fire_webhook', 'actions.0.message': 'Llamar' });
    html = await press(business, html, 'actions.1.up');
    html = await press(business, html, 'conditions.1.remove');
    assert.deepEqual((await app.get('/api/automations', owner)).body, []);

    const fields = filled(
      html,
      {
        delayMinutes: '3',
        delayUnit: '60',
        'conditions.0.operator': 'gte',
        'conditions.0.value': '1000.50',
        'actions.0.url': 'http://127.0.0.1:9/aviso',
        'actions.0.headerLines': 'X-Origen: cotizaciones\nAuthorization: Bearer a:b',
      },
      NEW,
    );
    const first = await submit(NEW, fields, { as: owner });
    const second = await submit(NEW, fields, { as: owner });

    assert.equal(first.status, 303, first.html);
    assert.equal(second.headers.get('Location'), first.headers.get('Location'));
    const id = /automations\/(\w+)\?/.exec(first.headers.get('Location') ?? '')?.[1] ?? '';
    const { name, delayMinutes, conditions, actions, isActive } = await stored(business, id);
    assert.deepEqual([name, delayMinutes, isActive], [MARKUP, 180, true]);
    assert.deepEqual(conditions, [{ field: 'total', operator: 'gte', value: '1000.50' }]);
    assert.deepEqual(actions, [
      {
        type: 'fire_webhook',
        url: 'http://127.0.0.1:9/aviso',
        headers: { 'X-Origen': 'cotizaciones', Authorization: 'Bearer a:b' },
        includeItems: true,
      },
      { type: 'create_reminder', delayMinutes: 1440, message: 'Llamar' },
    ]);
    assert.ok((await open(`/app/automations/${id}`, owner)).html.includes(ESCAPED));
    assert.ok((await open('/app/automations', owner)).html.includes(ESCAPED));
  });

  it('shows each refusal beside its field and keeps the input', async () => {
    const { owner } = await build.business();
    const { html } = await submit(
      NEW,
      {
        name: '',
        trigger: '',
        delayMinutes: 'pronto',
        conditions: '',
        'conditions.0.field': 'total',
        'conditions.0.operator': 'gte',
        'conditions.0.value': 'mucho',
      },
      { as: owner },
    );
    const refused = await submit(
      NEW,
      {
        name: MARKUP,
        trigger: 'QUOTE_SENT',
        delayMinutes: '0',
        'conditions.0.field': 'total',
        'conditions.0.operator': 'gte',
        'conditions.0.value': 'mucho',
        'actions.0.type': 'fire_webhook',
        'actions.0.url': 'https://example.com',
        'actions.0.headerLines': 'Host: otro',
        'actions.1.type': 'send_email',
        'actions.1.to': 'custom',
        'actions.1.subject': 'Hola {{nadie}}',
        'actions.1.body': 'Hola',
      },
      { as: owner },
    );

    assert.deepEqual(
      [errorAt(html, 'name'), errorAt(html, 'trigger') === undefined, errorAt(html, 'delayMinutes') === undefined],
      ['Es obligatorio', false, false],
    );
    assert.ok(html.includes('value="pronto"'));
    assert.equal(refused.status, 400);
    assert.match(errorAt(refused.html, 'conditions.0.value') ?? '', /número/);
    assert.match(errorAt(refused.html, 'actions.0.headerLines') ?? '', /Host: es un encabezado reservado/);
    assert.equal(errorAt(refused.html, 'actions.1.customEmail'), 'Es obligatorio');
    assert.match(errorAt(refused.html, 'actions.1.subject') ?? '', /\{\{nadie\}\}/);
    assert.ok(refused.html.includes('Host: otro') && refused.html.includes(`value="${ESCAPED}"`));
  });

  it('edits an automation: an unchanged form changes nothing, and removed conditions are gone', async () => {
    const business = await build.business();
    const id = await create(business, {
      delayMinutes: 2880,
      conditions: [{ field: 'status', operator: 'eq', value: 'SENT' }],
      actions: [NOTIFY, { type: 'fire_webhook', url: 'http://127.0.0.1:9/', headers: { 'X-A': 'b' } }],
    });
    const path = `/app/automations/${id}/edit`;
    const before = await stored(business, id);
    const { html } = await open(path, business.owner);

    const same = await submit(path, fieldsIn(html, path), { as: business.owner });
    assert.equal(same.headers.get('Location'), `/app/automations/${id}?notice=automation_saved`);
    assert.deepEqual({ ...(await stored(business, id)), updatedAt: before.updatedAt }, before);

    const without = await submit(path, [...fieldsIn(html, path), ['do', 'conditions.0.remove']], {
      as: business.owner,
    });
    await submit(path, fieldsIn(without.html, path), { as: business.owner });
    assert.deepEqual((await stored(business, id)).conditions, []);
  });

  it('carries the form over a sign-in', async () => {
    const { status, html } = await submit(NEW, { name: MARKUP, 'actions.0.type': 'add_label' });

    assert.equal(status, 401);
    assert.ok(html.includes(ESCAPED) && html.includes('actions.0.type'));
  });

  it('lists runs with their errors and pages, switches it off and on, and deletes it', async () => {
    const business = await build.business();
    const { owner, tenantId } = business;
    const id = await create(business);
    const { id: quoteId } = await build.quote(owner);
    const run = (second: number) => ({
      id: newId(),
      tenantId,
      automationId: id,
      quoteId,
      eventId: newId(),
      conditions: '[]',
      actions: '[]',
      delayMinutes: 0,
      status: 'FAILED' as const,
      error: `acción 0 (send_email): ${MARKUP}`,
      triggeredAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
      completedAt: new Date(Date.UTC(2026, 0, 1, 0, 1, second)),
    });
    await app.deps.withTenant(tenantId, (trx) =>
      AutomationLog.query(trx).insert(Array.from({ length: 21 }, (_, second) => run(second))),
    );
    const path = `/app/automations/${id}`;

    const { html } = await open(path, owner);

    assert.ok(html.includes(`acción 1 (Enviar un correo): ${ESCAPED}`) && html.includes(`/app/quotes/${quoteId}`));
    const next = /href="([^"]+)" rel="next"/.exec(html)?.[1] ?? '';
    assert.equal((await open(next, owner)).status, 200);
    const list = (await app.get('/api/automations', owner)).body;
    assert.equal(list[0].lastRun.triggeredAt, '2026-01-01T00:00:20.000Z');
    assert.match((await open('/app/automations', owner)).html, /Falló/);
    await submit(`${path}/deactivate`, {}, { as: owner });
    assert.equal((await stored(business, id)).isActive, false);
    await submit(`${path}/activate`, {}, { as: owner });
    assert.equal((await stored(business, id)).isActive, true);
    const deleted = await submit(`${path}/delete`, {}, { as: owner });
    assert.equal(deleted.headers.get('Location'), '/app/automations?notice=automation_deleted');
    assert.deepEqual((await app.get('/api/automations', owner)).body, []);
  });

  it('tries an automation with a quote and changes nothing', async () => {
    const business = await build.business();
    const { owner } = business;
    const id = await create(business, {
      conditions: [{ field: 'total', operator: 'gt', value: 1 }],
      actions: [NOTIFY, { type: 'change_status', newStatus: 'WON' }],
    });
    const client = await build.client(owner, { contactName: MARKUP });
    const quote = await build.quote(owner, { clientId: client.id });
    const other = await build.business();
    const foreign = await build.quote(other.owner);
    const path = `/app/automations/${id}/test`;

    const { html } = await open(`${path}?quoteId=${quote.id}`, owner);

    assert.match(html, /Las condiciones se cumplen/);
    assert.ok(html.includes(ESCAPED) && html.includes('No se puede cambiar de GENERATED a WON'));
    assert.equal((await app.get(`/api/quotes/${quote.id}`, owner)).body.status, 'GENERATED');
    assert.match((await open(`${path}?search=zzzz`, owner)).html, /Ninguna cotización coincide/);
    const stranger = await open(`${path}?quoteId=${foreign.id}`, owner);
    assert.ok(stranger.status === 200 && !stranger.html.includes('Las condiciones'));
  });
});

describe('/app/webhooks', () => {
  const NEW_HOOK = '/app/webhooks/new';
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('creates a webhook, shows its secret once, and refuses one without events or address beside the fields', async () => {
    const { owner } = await build.business();
    const url = 'http://127.0.0.1:9/avisos?a=<b>';
    const form = await open(NEW_HOOK, owner);
    const empty = await submit(NEW_HOOK, fieldsIn(form.html, NEW_HOOK), { as: owner });
    const fields = [...filled(form.html, { url }, NEW_HOOK), ['events', 'quote.sent'] as const];

    const first = await submit(NEW_HOOK, fields, { as: owner });
    const second = await submit(NEW_HOOK, fields, { as: owner });

    assert.deepEqual([empty.status, errorAt(empty.html, 'url')], [400, 'Es obligatorio']);
    assert.notEqual(errorAt(empty.html, 'events'), undefined);
    const secretIn = (html: string) => /value="(whsec_[^"]+)"/.exec(html)?.[1];
    assert.equal(first.status, 200, first.html);
    assert.equal(secretIn(second.html), secretIn(first.html));
    const { body: hooks } = await app.get('/api/webhooks', owner);
    assert.deepEqual([hooks.length, hooks[0].events], [1, ['quote.sent']]);
    const detail = await open(`/app/webhooks/${hooks[0].id}`, owner);
    assert.ok(!detail.html.includes(secretIn(first.html) ?? '') && detail.html.includes('a=&lt;b&gt;'));
    const path = `/app/webhooks/${hooks[0].id}/rotate-secret`;
    const rotated = await submit(path, fieldsIn(detail.html, path), { as: owner });
    assert.deepEqual([rotated.status, titleOf(rotated.html)], [200, 'Secreto nuevo']);
    assert.notEqual(secretIn(rotated.html), secretIn(first.html));
  });

  it('changes address and events, and deletes the webhook', async () => {
    const { owner } = await build.business();
    const body = { url: 'http://127.0.0.1:9/', events: ['quote.sent', 'quote.viewed'] };
    const { id } = (await app.post('/api/webhooks', body, owner)).body;
    const path = `/app/webhooks/${id}/edit`;
    const { html } = await open(path, owner);
    const rest = filled(html, { url: 'http://127.0.0.1:9/otra' }, path).filter(([, value]) => value !== 'quote.viewed');

    const refused = await submit(path, { url: 'ftp://x', events: 'quote.sent' }, { as: owner });
    const saved = await submit(path, rest, { as: owner });

    assert.deepEqual([refused.status, errorAt(refused.html, 'url') === undefined], [400, false]);
    assert.equal(saved.headers.get('Location'), `/app/webhooks/${id}?notice=webhook_saved`);
    const { url, events } = (await app.get(`/api/webhooks/${id}`, owner)).body;
    assert.deepEqual([url, events], ['http://127.0.0.1:9/otra', ['quote.sent']]);
    await submit(`/app/webhooks/${id}/delete`, {}, { as: owner });
    assert.deepEqual((await app.get('/api/webhooks', owner)).body, []);
  });

  it('tests the endpoint and shows attempts, response and payload; replays only while the webhook is active', async () => {
    await using target = await receiver((res) => res.writeHead(500).end(MARKUP));
    const { owner } = await build.business();
    const { id } = (await app.post('/api/webhooks', { url: target.url, events: ['quote.sent'] }, owner)).body;
    const path = `/app/webhooks/${id}`;

    const tested = await submit(`${path}/test`, {}, { as: owner });

    const delivery = tested.headers.get('Location') ?? '';
    const { html } = await open(delivery, owner);
    assert.ok(html.includes('HTTP 500') && html.includes(ESCAPED) && html.includes('&quot;webhook.test&quot;'));
    assert.match((await open(path, owner)).html, /Sin entregar/);
    const replayed = await submit(`${delivery}/replay`, fieldsIn(html, `${delivery}/replay`), { as: owner });
    assert.match(replayed.headers.get('Location') ?? '', /notice=delivery_replayed$/);
    await submit(`${path}/deactivate`, {}, { as: owner });
    const inactive = await open(path, owner);
    assert.match(inactive.html, /Este webhook está inactivo/);
    assert.match(inactive.html, /Diana lo desactivó/);
    const refused = await submit(`${delivery}/replay`, {}, { as: owner });
    assert.deepEqual([refused.status, refused.html.includes('El webhook está inactivo')], [409, true]);
    await submit(`${path}/activate`, {}, { as: owner });
    assert.doesNotMatch((await open(path, owner)).html, /Este webhook está inactivo/);
  });

  it('shows why an endpoint that does not respond got nothing', async () => {
    const { owner } = await build.business();
    const { id } = (await app.post('/api/webhooks', { url: 'http://127.0.0.1:9/', events: ['quote.sent'] }, owner))
      .body;

    const { headers } = await submit(`/app/webhooks/${id}/test`, {}, { as: owner });

    assert.match((await open(headers.get('Location') ?? '', owner)).html, /El servidor rechazó la conexión/);
  });
});
