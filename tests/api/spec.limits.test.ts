import assert from 'node:assert/strict';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { receiver } from './receiver.ts';
import { type Credential, type Response, type Service, service } from './service.ts';

needs('temporal', 'storage');

/** What lies at a limit is accepted, what lies beyond is not. Limits of pages: pages.test.ts; of templates: templates.test.ts. */
describe('Limits of values', () => {
  let app: Service;
  let business: build.Business;
  let owner: Credential;
  let clientId: string;
  before(async () => {
    app = await service();
    business = await build.business();
    owner = business.owner;
    clientId = (await build.client(owner)).id;
  });

  const outcome = ({ status, body }: Response) => [status, body?.error];
  const refused = (res: Response, error: string) => assert.deepEqual(outcome(res), [400, error]);
  const taken = (res: Response, status: number) => assert.deepEqual(outcome(res), [status, undefined]);

  const quoteWith = (fields: object, item: object = {}) =>
    app.post('/api/quotes', { clientId, items: [{ ...build.ITEM, ...item }], ...fields }, owner);
  const ACTION = { type: 'send_notification', title: 'Nueva', body: 'Hay una nueva' };
  const automationWith = (fields: object = {}) =>
    app.post('/api/automations', { name: 'Avisar', trigger: 'QUOTE_CREATED', actions: [ACTION], ...fields }, owner);
  const settings = (body: object) => app.request('PUT', '/api/settings', { headers: owner, body });

  it('Quote notes, quote create: 300 characters are accepted, 301 are not', async () => {
    taken(await quoteWith({ notes: 'x'.repeat(300) }), 201);
    refused(await quoteWith({ notes: 'x'.repeat(301) }), 'notes: debe tener como máximo 300 caracteres');
  });

  it('Quote notes, quote revise: 300 characters are accepted, 301 are not', async () => {
    const { id } = await build.quote(owner);
    const revise = (notes: string) =>
      app.post(`/api/quotes/${id}/revise`, { clientId, items: [build.ITEM], notes }, owner);

    taken(await revise('x'.repeat(300)), 200);
    refused(await revise('x'.repeat(301)), 'notes: debe tener como máximo 300 caracteres');
  });

  it('Quote item unitPrice: 0 is accepted, less is not', async () => {
    taken(await quoteWith({}, { unitPrice: 0 }), 201);
    refused(await quoteWith({}, { unitPrice: -0.01 }), 'items.0.unitPrice: debe ser mayor o igual que 0');
  });

  it('Quote item quantity: 1 is accepted, 0 and 1.5 are not', async () => {
    taken(await quoteWith({}, { quantity: 1 }), 201);
    refused(await quoteWith({}, { quantity: 0 }), 'items.0.quantity: debe ser mayor o igual que 1');
    refused(await quoteWith({}, { quantity: 1.5 }), 'items.0.quantity: debe ser un número entero');
  });

  it('discountPct: 0 and 100 are accepted, less and more are not; default 0', async () => {
    taken(await quoteWith({}, { discountPct: 0 }), 201);
    taken(await quoteWith({}, { discountPct: 100 }), 201);
    refused(await quoteWith({}, { discountPct: -0.01 }), 'items.0.discountPct: debe ser mayor o igual que 0');
    refused(await quoteWith({}, { discountPct: 100.01 }), 'items.0.discountPct: debe ser menor o igual que 100');
    assert.equal((await quoteWith({})).body.items[0].discountPct, 0);
  });

  it('shippingCost: 0 is accepted, less is not; default 0', async () => {
    taken(await quoteWith({ shippingCost: 0 }), 201);
    refused(await quoteWith({ shippingCost: -0.01 }), 'shippingCost: debe ser mayor o igual que 0');
    assert.equal((await quoteWith({})).body.shippingCost, 0);
  });

  it('Default tax rate: 0.16 on create and duplicate when the tenant has none', async () => {
    const { body: created } = await quoteWith({}, { unitPrice: 100, quantity: 1 });

    const { body: copy } = await app.post(`/api/quotes/${created.id}/duplicate`, undefined, owner);

    assert.deepEqual([created.tax, created.total], [16, 116]);
    assert.deepEqual([copy.tax, copy.total], [16, 116]);
  });

  it('Automation name: 1 and 100 characters are taken, 0 and 101 are not', async () => {
    taken(await automationWith({ name: 'x' }), 201);
    taken(await automationWith({ name: 'x'.repeat(100) }), 201);
    refused(await automationWith({ name: '' }), 'name: no puede estar vacío');
    refused(await automationWith({ name: 'x'.repeat(101) }), 'name: debe tener como máximo 100 caracteres');
  });

  it('Webhook timeout: an answer after 4 seconds counts, one that would come after 5 is a 502', async () => {
    const waits = async (ms: number) => {
      await using target = await receiver((res) => void setTimeout(() => res.end('ok'), ms));
      const { body } = await app.post('/api/webhooks', { url: target.url, events: ['quote.sent'] }, owner);
      return await app.post(`/api/webhooks/${body.id}/test`, undefined, owner);
    };

    // Repeated if a stall of the machine lets the five seconds end first.
    const withinOf = async (tries: number): Promise<Response> => {
      const response = await waits(4_000);
      return response.status === 200 || tries === 1 ? response : withinOf(tries - 1);
    };

    const [within, beyond] = await Promise.all([withinOf(3), waits(5_500)]);

    assert.deepEqual([within.status, within.body], [200, { success: true, statusCode: 200 }]);
    assert.deepEqual(outcome(beyond), [502, 'No se pudo conectar con el endpoint']);
  });

  const numbers: readonly [row: string, member: string, low: number, high: number][] = [
    ['quoteValidityDays', 'quoteValidityDays', 1, 365],
    ['reminderDaysBefore', 'reminderDaysBefore', 1, 30],
    ['taxRate', 'taxRate', 0, 1],
  ];
  for (const [row, member, low, high] of numbers) {
    it(`${row}: ${low} and ${high} are accepted, less and more are not`, async () => {
      const step = member === 'taxRate' ? 0.0001 : 1;

      taken(await settings({ [member]: low }), 200);
      taken(await settings({ [member]: high }), 200);
      refused(await settings({ [member]: low - step }), `${member}: debe ser mayor o igual que ${low}`);
      refused(await settings({ [member]: high + step }), `${member}: debe ser menor o igual que ${high}`);
    });
  }

  it('companyName: 2 characters are accepted, 1 is not', async () => {
    taken(await settings({ companyName: 'ab' }), 200);
    refused(await settings({ companyName: 'a' }), 'companyName: debe tener al menos 2 caracteres');
  });

  it('footerText: 200 characters are accepted, 201 are not', async () => {
    const footer = (length: number) => settings({ pdfBranding: { footerText: 'x'.repeat(length) } });

    taken(await footer(200), 200);
    refused(await footer(201), 'pdfBranding.footerText: debe tener como máximo 200 caracteres');
  });

  it('API key format: svc_ and 40 hexadecimal characters', async () => {
    const { key } = (await app.post('/api/api-keys', { name: 'Integración' }, owner)).body;
    const status = async (value: string) => (await app.get('/api/quotes', { Authorization: `Bearer ${value}` })).status;

    assert.match(key, /^svc_[0-9a-f]{40}$/);
    assert.deepEqual([await status(key), await status(key.slice(0, -1)), await status(`${key}0`)], [200, 401, 401]);
  });
});
