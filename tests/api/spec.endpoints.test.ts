import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { AutomationLog } from '../../db/models/automation-log.ts';
import { type QuotingClient, unwrap } from '../../packages/client/client.ts';
import { png } from '../adapters/image-files.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { receiver } from './receiver.ts';
import { type Service, service } from './service.ts';
import { typedClient } from './typed-client.ts';

needs('temporal', 'storage');

/**
 * One successful call of each endpoint through the typed client: its documented members, and money as numbers or text.
 * Refusals are tested elsewhere. POST /api/quotes/:id/share needs a worker and a mail server:
 * tests/journey/spec.rows.test.ts.
 */
describe('Documented response of each endpoint', () => {
  let app: Service;
  let business: build.Business;
  let api: QuotingClient;
  let clientId: string;
  before(async () => {
    app = await service();
    business = await build.business();
    api = await typedClient(business);
    clientId = (await build.client(business.owner)).id;
  });

  const has = (value: object, members: string) =>
    assert.deepEqual(
      members.split(' ').filter((member) => !(member in value)),
      [],
      'members that are missing',
    );
  const areNumbers = (...values: readonly unknown[]) =>
    assert.deepEqual(
      values.map((value) => typeof value),
      values.map(() => 'number'),
    );
  const areTexts = (...values: readonly unknown[]) =>
    assert.deepEqual(
      values.filter((value) => typeof value !== 'string' || !/^\d+\.\d{2,6}$/.test(value)),
      [],
      'no decimal strings',
    );
  const areDates = (...values: readonly unknown[]) =>
    assert.deepEqual(
      values.filter((value) => typeof value !== 'string' || new Date(value).toISOString() !== value),
      [],
      'no ISO 8601 in UTC',
    );
  const first = <T>(values: readonly T[]): T => {
    const [value] = values;
    assert.ok(value !== undefined);
    return value;
  };
  const path = (id: string) => ({ params: { path: { id } } });
  const items = [{ productName: 'Silla', unitPrice: 100.5, quantity: 2, discountPct: 10 }];
  const QUOTE = 'id quoteNumber status subtotal tax shippingCost total notes expiresAt createdAt items client';

  describe('Quotes', () => {
    let quoteId: string;
    before(async () => {
      quoteId = (await build.quote(business.owner, { items, shippingCost: 50 })).id;
    });

    it('GET /api/quotes → 200 {data: [quote summary], total, page, totalPages}', async () => {
      const query = { search: 'la palma', status: 'GENERATED', page: 1 } as const;

      const list = await unwrap(api.GET('/api/quotes', { params: { query } }));

      assert.deepEqual(Object.keys(list), ['data', 'total', 'page', 'totalPages']);
      const { _count: count, ...summary } = first(list.data);
      has(summary, 'id quoteNumber status createdAt expiresAt client user');
      areTexts(summary.subtotal, summary.tax, summary.shippingCost, summary.total);
      assert.deepEqual([summary.user, count], [{ name: 'Diana' }, { items: 1 }]);
    });

    it('POST /api/quotes → 201 quote, GENERATED, with publicToken, items and client; money as numbers', async () => {
      const { data, response } = await api.POST('/api/quotes', {
        body: { clientId, items, notes: 'Entrega en obra', shippingCost: 50 },
      });

      assert.equal(response.status, 201);
      assert.ok(data);
      has(data, `${QUOTE} publicToken`);
      assert.deepEqual([data.status, data.notes], ['GENERATED', 'Entrega en obra']);
      assert.deepEqual([data.subtotal, data.tax, data.shippingCost, data.total], [180.9, 28.94, 50, 259.84]);
      const item = first(data.items);
      areNumbers(item.unitPrice, item.discountPct, item.subtotal);
      has(data.client, 'id contactName companyName email phone');
    });

    it('GET /api/quotes/:id → 200 quote with items, client, user; money as text', async () => {
      const quote = await unwrap(api.GET('/api/quotes/{id}', path(quoteId)));

      has(quote, `${QUOTE} version currency viewCount user`);
      areTexts(quote.subtotal, quote.tax, quote.shippingCost, quote.total);
      const item = first(quote.items);
      has(item, 'id productName model quantity subtotal product');
      areTexts(item.unitPrice, item.discountPct, item.subtotal);
      assert.deepEqual(quote.user, { name: 'Diana', email: business.email });
      areDates(quote.createdAt, quote.expiresAt);
    });

    it('PATCH /api/quotes/:id/status → 200 updated quote; money as text', async () => {
      const { id } = await build.quote(business.owner);

      const quote = await unwrap(api.PATCH('/api/quotes/{id}/status', { ...path(id), body: { status: 'SENT' } }));

      has(quote, QUOTE);
      assert.deepEqual([quote.id, quote.status], [id, 'SENT']);
      areTexts(quote.subtotal, quote.tax, quote.shippingCost, quote.total);
    });

    it('POST /api/quotes/:id/duplicate → 201 new quote with items and client; money as numbers', async () => {
      const { data, response } = await api.POST('/api/quotes/{id}/duplicate', path(quoteId));

      assert.equal(response.status, 201);
      assert.ok(data);
      has(data, `${QUOTE} publicToken`);
      assert.notEqual(data.id, quoteId);
      areNumbers(data.subtotal, data.tax, data.shippingCost, data.total, first(data.items).subtotal);
    });

    it('GET /api/quotes/:id/pdf → 200 application/pdf, inline, COT-<number>.pdf', async () => {
      const { id, quoteNumber } = await build.quote(business.owner);

      const { response } = await api.GET('/api/quotes/{id}/pdf', { ...path(id), parseAs: 'arrayBuffer' });

      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/pdf']);
      assert.equal(response.headers.get('content-disposition'), `inline; filename="COT-${quoteNumber}.pdf"`);
    });

    it('POST /api/quotes/:id/pdf → 200 {pdfUrl}, which downloads', async () => {
      const { pdfUrl, ...rest } = await unwrap(api.POST('/api/quotes/{id}/pdf', path(quoteId)));

      assert.deepEqual(rest, {});
      assert.equal(Buffer.from(await (await fetch(pdfUrl)).arrayBuffer()).toString('latin1', 0, 5), '%PDF-');
    });

    it('POST /api/quotes/:id/revise → 200 updated quote with new items and client; money as numbers', async () => {
      const { id } = await build.quote(business.owner);

      const quote = await unwrap(api.POST('/api/quotes/{id}/revise', { ...path(id), body: { clientId, items } }));

      has(quote, QUOTE);
      assert.deepEqual([quote.id, quote.version, quote.client.id], [id, 2, clientId]);
      assert.deepEqual([quote.subtotal, quote.tax, quote.total], [180.9, 28.94, 209.84]);
    });

    it('GET /api/quotes/:id/versions → 200 array, version descending; snapshots with money as text', async () => {
      const { id } = await build.quote(business.owner, { clientId });
      await api.POST('/api/quotes/{id}/revise', { ...path(id), body: { clientId, items } });
      await api.POST('/api/quotes/{id}/revise', { ...path(id), body: { clientId, items } });

      const versions = await unwrap(api.GET('/api/quotes/{id}/versions', path(id)));

      assert.deepEqual(
        versions.map(({ version }) => version),
        [2, 1],
      );
      const { snapshot, ...version } = first(versions);
      has(version, 'id version createdBy createdAt');
      has(snapshot, 'clientId items notes');
      areTexts(snapshot.subtotal, snapshot.tax, snapshot.total, first(snapshot.items).unitPrice);
    });

    it('GET /api/quotes/:id/signature → 200 {signature: null}', async () => {
      const answer = await unwrap(api.GET('/api/quotes/{id}/signature', path(quoteId)));

      assert.deepEqual(answer, { signature: null });
    });
  });

  describe('Templates', () => {
    const TEMPLATE =
      'id tenantId name description items notes shippingCost currency isActive createdAt updatedAt creator';
    const body = { name: 'Oficina', description: 'Un puesto', items, notes: 'Flete aparte', shippingCost: 150.5 };
    const made = async () => (await unwrap(api.POST('/api/templates', { body }))).id;

    it('GET /api/templates → 200 array of active templates with creator name; money as numbers', async () => {
      const [kept, gone] = [await made(), await made()];
      await api.DELETE('/api/templates/{id}', path(gone));

      const templates = await unwrap(api.GET('/api/templates'));

      const ids = templates.map(({ id }) => id);
      assert.deepEqual([ids.includes(kept), ids.includes(gone)], [true, false]);
      const template = first(templates);
      has(template, TEMPLATE);
      assert.deepEqual([template.isActive, template.creator.name], [true, 'Carlos']);
      areNumbers(template.shippingCost, first(template.items).unitPrice, first(template.items).discountPct);
    });

    it('POST /api/templates → 201 created template', async () => {
      const { data, response } = await api.POST('/api/templates', { body });

      assert.equal(response.status, 201);
      assert.ok(data);
      has(data, TEMPLATE);
      assert.deepEqual([data.shippingCost, data.currency, data.isActive], [150.5, 'MXN', true]);
    });

    it('GET /api/templates/:id → 200 template with creator name', async () => {
      const id = await made();

      const template = await unwrap(api.GET('/api/templates/{id}', path(id)));

      has(template, TEMPLATE);
      assert.deepEqual([template.id, template.creator], [id, { name: 'Carlos' }]);
    });

    it('PATCH /api/templates/:id → 200 updated template', async () => {
      const id = await made();

      const template = await unwrap(api.PATCH('/api/templates/{id}', { ...path(id), body: { name: 'Sala' } }));

      has(template, TEMPLATE);
      assert.deepEqual([template.name, template.description], ['Sala', 'Un puesto']);
    });

    it('DELETE /api/templates/:id → 200 {ok: true}; soft delete', async () => {
      const id = await made();

      assert.deepEqual(await unwrap(api.DELETE('/api/templates/{id}', path(id))), { ok: true });
      assert.equal((await unwrap(api.GET('/api/templates/{id}', path(id)))).isActive, false);
    });

    it('POST /api/connector/actions/create-from-template → 201 quote as POST /api/quotes', async () => {
      const templateId = await made();

      const { data, response } = await api.POST('/api/connector/actions/create-from-template', {
        body: { templateId, clientId },
      });

      assert.equal(response.status, 201);
      assert.ok(data);
      has(data, `${QUOTE} publicToken`);
      assert.deepEqual([data.notes, data.shippingCost, data.total], ['Flete aparte', 150.5, 360.34]);
    });

    it('GET /api/connector/actions/list-templates → 200 [{id, name, label, value}]', async () => {
      const id = await made();

      const options = await unwrap(api.GET('/api/connector/actions/list-templates'));

      assert.deepEqual(first(options), { id, name: 'Oficina', label: 'Oficina', value: id });
    });
  });

  describe('Automations', () => {
    const AUTOMATION = 'id name trigger isActive conditions actions delayMinutes createdAt';
    const body = {
      name: 'Grandes',
      trigger: 'QUOTE_CREATED',
      conditions: [{ field: 'total', operator: 'gte', value: 1000 }],
      actions: [{ type: 'send_notification', title: 'Nueva', body: 'Hay una nueva' }],
      isActive: true,
      delayMinutes: 5,
    } as const;
    const made = async () =>
      (await unwrap(api.POST('/api/automations', { body: { ...body, conditions: [], actions: [...body.actions] } })))
        .id;
    const ran = async (automationId: string) => {
      const { id: quoteId } = await build.quote(business.owner);
      const ids = { id: newId(), tenantId: business.tenantId, automationId, quoteId, eventId: newId() };
      const run = { conditions: '[]', actions: '[]', delayMinutes: 0, status: 'TRIGGERED' } as const;
      await app.deps.withTenant(business.tenantId, (trx) => AutomationLog.query(trx).insert({ ...ids, ...run }));
    };
    const LOG = 'id automationId quoteId tenantId status triggeredAt completedAt error';

    it('GET /api/automations → 200 array with _count.logs', async () => {
      await ran(await made());

      const { _count: count, ...automation } = first(await unwrap(api.GET('/api/automations')));

      has(automation, AUTOMATION);
      assert.deepEqual(count, { logs: 1 });
    });

    it('POST /api/automations → 201 created automation', async () => {
      const { data, response } = await api.POST('/api/automations', {
        body: { ...body, conditions: [...body.conditions], actions: [...body.actions] },
      });

      assert.equal(response.status, 201);
      assert.ok(data);
      has(data, AUTOMATION);
      assert.deepEqual([data.conditions, data.actions, data.delayMinutes], [body.conditions, body.actions, 5]);
    });

    it('GET /api/automations/:id → 200 automation with logs', async () => {
      const id = await made();
      await ran(id);

      const automation = await unwrap(api.GET('/api/automations/{id}', path(id)));

      has(automation, AUTOMATION);
      has(first(automation.logs), LOG);
    });

    it('PATCH /api/automations/:id → 200 updated automation, isActive too', async () => {
      const id = await made();

      const automation = await unwrap(api.PATCH('/api/automations/{id}', { ...path(id), body: { isActive: false } }));

      assert.deepEqual([automation.isActive, automation.name], [false, 'Grandes']);
    });

    it('DELETE /api/automations/:id → 200 {ok: true}; hard delete, with its logs', async () => {
      const id = await made();
      await ran(id);

      assert.deepEqual(await unwrap(api.DELETE('/api/automations/{id}', path(id))), { ok: true });
      assert.equal((await api.GET('/api/automations/{id}', path(id))).response.status, 404);
      assert.equal((await api.GET('/api/automations/{id}/logs', path(id))).response.status, 404);
    });

    it('GET /api/automations/:id/logs → 200 {logs, total, page, totalPages}', async () => {
      const id = await made();
      await ran(id);
      const params = { path: { id }, query: { page: 1, limit: 20 } };

      const { logs, ...counts } = await unwrap(api.GET('/api/automations/{id}/logs', { params }));

      has(first(logs), LOG);
      assert.deepEqual(counts, { total: 1, page: 1, totalPages: 1 });
    });
  });

  describe('Webhooks', () => {
    const WEBHOOK = 'id url events secret isActive tenantId createdAt updatedAt';
    const events: ['quote.created'] = ['quote.created'];
    const made = (url = 'http://127.0.0.1:1/') => unwrap(api.POST('/api/webhooks', { body: { url, events } }));

    it('GET /api/webhooks → 200 array with _count.deliveries', async () => {
      await made();

      const { _count: count, ...webhook } = first(await unwrap(api.GET('/api/webhooks')));

      has(webhook, WEBHOOK);
      assert.deepEqual(count, { deliveries: 0 });
    });

    it('POST /api/webhooks → 201 webhook including the generated secret', async () => {
      const { data, response } = await api.POST('/api/webhooks', { body: { url: 'http://127.0.0.1:1/', events } });

      assert.equal(response.status, 201);
      assert.ok(data);
      has(data, WEBHOOK);
      assert.match(data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    });

    it('GET /api/webhooks/:id → 200 webhook', async () => {
      const { id } = await made();

      const webhook = await unwrap(api.GET('/api/webhooks/{id}', path(id)));

      has(webhook, WEBHOOK);
      assert.deepEqual([webhook.id, webhook.tenantId], [id, business.tenantId]);
    });

    it('PUT /api/webhooks/:id → 200 updated webhook', async () => {
      const { id } = await made();
      const body = { url: 'http://127.0.0.1:2/', events: ['quote.sent' as const], isActive: false };

      const webhook = await unwrap(api.PUT('/api/webhooks/{id}', { ...path(id), body }));

      assert.deepEqual({ url: webhook.url, events: webhook.events, isActive: webhook.isActive }, body);
    });

    it('DELETE /api/webhooks/:id → 200 {ok: true}; with its delivery history', async () => {
      const { id } = await made();
      await api.POST('/api/webhooks/{id}/test', path(id));

      assert.deepEqual(await unwrap(api.DELETE('/api/webhooks/{id}', path(id))), { ok: true });
      assert.equal((await api.GET('/api/webhooks/{id}/deliveries', path(id))).response.status, 404);
    });

    it('POST /api/webhooks/:id/test → 200 {success, statusCode}; sends event, timestamp and data.message', async () => {
      await using target = await receiver();
      const { id } = await made(target.url);

      assert.deepEqual(await unwrap(api.POST('/api/webhooks/{id}/test', path(id))), { success: true, statusCode: 200 });
      const sent = JSON.parse(first(target.calls).body) as { event: string; timestamp: string; data: object };
      assert.deepEqual(Object.keys(sent), ['event', 'timestamp', 'data']);
      assert.deepEqual([sent.event, Object.keys(sent.data)], ['webhook.test', ['message']]);
      areDates(sent.timestamp);
    });

    it('GET /api/webhooks/:id/deliveries → 200 {data: [delivery], total, page, totalPages}', async () => {
      await using target = await receiver();
      const { id } = await made(target.url);
      await api.POST('/api/webhooks/{id}/test', path(id));

      const { data, ...counts } = await unwrap(api.GET('/api/webhooks/{id}/deliveries', path(id)));

      assert.deepEqual(counts, { total: 1, page: 1, totalPages: 1 });
      const delivery = first(data);
      has(delivery, 'id webhookId event payload statusCode responseBody deliveredAt createdAt');
      assert.deepEqual([delivery.event, delivery.statusCode, delivery.responseBody], ['webhook.test', 200, 'ok']);
    });
  });

  describe('Settings', () => {
    const SETTINGS =
      'id companyName email phone address logoUrl bankInfo defaultNotes taxRate quoteValidityDays currency pdfBranding ' +
      'reminderDaysBefore';
    const logo = async () => {
      const file = await png({ width: 20, height: 10 });
      return api.POST('/api/settings/logo', {
        // The document declares a file as a string; the form sends a Blob.
        body: { logo: '' },
        bodySerializer() {
          const form = new FormData();
          form.set('logo', new Blob([new Uint8Array(file)]), 'logo.png');
          return form;
        },
      });
    };

    it('GET /api/settings → 200 {data: tenant settings} with logoUrl presigned', async () => {
      await logo();

      const { data } = await unwrap(api.GET('/api/settings'));

      has(data, SETTINGS);
      assert.equal((await fetch(data.logoUrl ?? '')).headers.get('content-type'), 'image/png');
    });

    it('PUT /api/settings → 200 {data: updated settings}; a tax rate goes in as a number and comes out as text', async () => {
      const body = { taxRate: 0.08, quoteValidityDays: 30, pdfBranding: { headerLayout: 'center' as const } };

      const { data } = await unwrap(api.PUT('/api/settings', { body }));

      has(data, SETTINGS);
      assert.deepEqual([data.taxRate, data.quoteValidityDays, data.pdfBranding], ['0.08', 30, body.pdfBranding]);
      const { steps } = await unwrap(api.GET('/api/onboarding'));
      areDates(steps.find(({ name }) => name === 'company_info')?.completedAt);
      const { data: entries } = await unwrap(api.GET('/api/audit-logs', { params: { query: { entity: 'tenant' } } }));
      assert.equal(first(entries).action, 'update');
    });

    it('POST /api/settings/logo → 200 {logoUrl, storageKey}', async () => {
      const answer = await unwrap(logo());

      assert.deepEqual(Object.keys(answer), ['logoUrl', 'storageKey']);
      assert.equal((await fetch(answer.logoUrl)).status, 200);
    });
  });

  it('GET /api/audit-logs → 200 {data: [audit log entry], total, page, totalPages}', async () => {
    const today = () => new Date().toISOString().slice(0, 10);
    const from = today();
    await build.client(business.owner);
    const query = { action: 'create', entity: 'client', from, to: today(), userId: business.userId, limit: 1 };

    const { data, ...counts } = await unwrap(api.GET('/api/audit-logs', { params: { query } }));

    has(counts, 'total page totalPages');
    const entry = first(data);
    has(entry, 'id action entity entityId metadata tenantId createdAt user');
    assert.deepEqual(entry.user, { id: business.userId, name: 'Diana', email: business.email });
  });

  describe('Pipeline', () => {
    it('GET /api/pipeline → 200 {data: [pipeline entry]}; money as text', async () => {
      await build.quote(business.owner);
      const query = { from: '2020-01-01', userId: business.userId, minAmount: 1, maxAmount: 100_000 };

      const answer = await unwrap(api.GET('/api/pipeline', { params: { query } }));

      assert.deepEqual(Object.keys(answer), ['data']);
      const entry = first(answer.data);
      has(entry, 'id quoteNumber status createdAt');
      areTexts(entry.subtotal, entry.tax, entry.total);
      assert.deepEqual(
        [entry.client, entry.user],
        [{ contactName: 'Laura Méndez', companyName: 'La Palma' }, { name: 'Diana' }],
      );
    });

    it('GET /api/pipeline/vendors → 200 {data: [{id, name, email}]}', async () => {
      const { data } = await unwrap(api.GET('/api/pipeline/vendors'));

      assert.deepEqual(
        data.find(({ id }) => id === business.userId),
        { id: business.userId, name: 'Diana', email: business.email },
      );
    });
  });

  it('GET /api/dashboard → 200 {data} with each member of its table; money as numbers', async () => {
    await build.quote(business.owner);

    const { data } = await unwrap(api.GET('/api/dashboard', { params: { query: { period: 'month' } } }));

    assert.deepEqual(
      Object.keys(data),
      'kpis amounts chartData statusDistribution recentQuotes topClients collaboratorActivity period'.split(' '),
    );
    const { kpis, amounts } = data;
    areNumbers(kpis.generated.value, kpis.generated.trend);
    areNumbers(kpis.won.value, kpis.won.rate, kpis.won.trend, kpis.lost.value, kpis.lost.rate, kpis.lost.trend);
    areNumbers(kpis.clients.value, kpis.clients.newInPeriod, kpis.clients.trend);
    areNumbers(amounts.quoted, amounts.won, amounts.prevQuoted);
    has(first(data.chartData), 'date generated won amount');
    has(first(data.statusDistribution), 'name value color');
    has(first(data.recentQuotes), 'id quoteNumber status total createdAt clientName companyName');
    has(first(data.topClients), 'name company count total');
    areNumbers(first(data.recentQuotes).total, first(data.topClients).total, first(data.collaboratorActivity).amount);
    has(first(data.collaboratorActivity), 'userId name generated won lost amount');
    has(data.period, 'from to label');
  });

  describe('Notifications', () => {
    let userId: string;
    let mine: { tenantId: string; userId: string };
    before(async () => {
      userId = (await unwrap(api.GET('/api/auth/session'))).user.id;
      mine = { tenantId: business.tenantId, userId };
    });

    it('GET /api/notifications → 200 {data: [notification], unreadCount}', async () => {
      await build.notification(mine);

      const list = await unwrap(api.GET('/api/notifications', { params: { query: { unread: 'true', limit: 50 } } }));

      assert.deepEqual([Object.keys(list), list.unreadCount], [['data', 'unreadCount'], 1]);
      has(first(list.data), 'id type title body metadata readAt createdAt');
    });

    it('PATCH /api/notifications/:id/read → 200 {success: true}', async () => {
      const { id } = await build.notification(mine);

      assert.deepEqual(await unwrap(api.PATCH('/api/notifications/{id}/read', path(id))), { success: true });
    });

    it('POST /api/notifications/mark-all-read → 200 {updated}', async () => {
      await api.POST('/api/notifications/mark-all-read');
      await build.notification(mine);

      assert.deepEqual(await unwrap(api.POST('/api/notifications/mark-all-read')), { updated: 1 });
    });
  });

  it('POST /api/auth/callback/credentials → session cookie and signed-in user', async () => {
    const body = { email: business.email, password: build.PASSWORD };

    const { data, response } = await api.POST('/api/auth/callback/credentials', { body });

    assert.ok(data);
    assert.deepEqual(data.user, {
      id: business.userId,
      email: business.email,
      name: 'Diana',
      role: 'OWNER',
      tenantId: business.tenantId,
      plan: 'PRO',
    });
    assert.match(first(response.headers.getSetCookie()), /^quoting\.session-token=/);
  });
});
