import type { Service } from '../../api/service.ts';
import type { Recorder } from './recorder.ts';
import { deliveries } from './refused-deliveries.ts';
import { files } from './refused-files.ts';
import { limits } from './refused-limits.ts';
import { states } from './refused-states.ts';
import { ITEM, type Made, UNKNOWN } from './refusal-world.ts';

/** Bodies with typical mistakes, for every operation with a body. */
const MISTAKES: Readonly<Record<string, unknown>> = {
  'POST /api/auth/register': { businessName: 'Muebles Roble', name: 'Diana Ríos', email: 'diana', password: 'corta' },
  'POST /api/auth/callback/credentials': { email: 'diana@mueblesroble.example' },
  'POST /api/auth/forgot-password': {},
  'POST /api/auth/reset-password': { password: 'cuatro sillas y una mesa' },
  'POST /api/auth/accept-invitation': { name: 'Carlos Ruiz' },
  'POST /api/api-keys': { name: '' },
  'POST /api/collaborators': { email: 'carlos', name: 'Carlos Ruiz' },
  'PATCH /api/collaborators/:id': { role: 'ADMIN' },
  'POST /api/collaborators/:id/transfer': {},
  'POST /api/clients': { companyName: 'Ferretería La Palma', email: 'ana.lapalma.example' },
  'PATCH /api/clients/:id': { email: 'ana.lapalma.example' },
  'POST /api/products': { name: 'Silla ejecutiva', unitPrice: -1 },
  'PATCH /api/products/:id': { unitPrice: 1850.1234567 },
  'POST /api/quotes': { clientId: UNKNOWN, items: [{ ...ITEM, quantity: 0 }] },
  'POST /api/quotes/preview': { items: [{ ...ITEM, unitPrice: -1 }] },
  'PATCH /api/quotes/:id': { validUntil: '31/12/2026' },
  'PATCH /api/quotes/:id/status': { status: 'PAID' },
  'POST /api/quotes/:id/revise': { clientId: UNKNOWN, items: [] },
  'POST /api/quotes/:id/share': { to: ['ana.lapalma.example'] },
  'POST /api/quotes/:id/messages': { body: '' },
  'PUT /api/settings': { quoteValidityDays: 0, currency: 'PESOS' },
  'POST /api/labels': { name: 'Urgente', color: 'rojo' },
  'PATCH /api/labels/:id': { color: 'rojo' },
  'POST /api/templates': { name: 'Oficina básica', items: [] },
  'PATCH /api/templates/:id': { shippingCost: -150 },
  'POST /api/automations': { name: 'Avisar', trigger: 'QUOTE_PAID', actions: [] },
  'PATCH /api/automations/:id': { delayMinutes: -5 },
  'POST /api/automations/:id/test': {},
  'POST /api/webhooks': { url: 'ftp://erp.lapalma.example', events: [] },
  'PUT /api/webhooks/:id': { events: ['quote.paid'] },
  'POST /api/connector/actions/create-from-template': { templateId: UNKNOWN },
  'POST /api/connector/hooks': { targetUrl: 'https://hooks.automatizador.example/catch/8841', event: 'quote.paid' },
  'POST /api/portal/:token/totals': { selectedItemIds: [] },
  'POST /api/portal/:token/accept': { signerName: 'Ana Torres', signerEmail: 'ana.lapalma.example', version: 1 },
  'POST /api/portal/:token/reject': { reason: 5 },
  'POST /api/portal/:token/request-changes': { message: '', version: 1 },
};

/** Query parameters with typical mistakes. */
const WRONG_QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /api/clients': { page: '0' },
  'GET /api/products': { limit: '500' },
  'GET /api/quotes': { status: 'PAID' },
  'GET /api/quotes/export.csv': { minTotal: 'mil' },
  'GET /api/quotes/export.xlsx': { from: 'ayer' },
  'GET /api/quotes/:id/messages': { page: '0' },
  'GET /api/pipeline': { minAmount: 'mil' },
  'GET /api/dashboard': { period: 'siglo' },
  'GET /api/audit-logs': { from: '31/12/2026' },
  'GET /api/notifications': { limit: '500' },
  'GET /api/automations/:id/logs': { page: '0' },
  'GET /api/webhooks/:id/deliveries': { page: '0' },
  'GET /api/connector/actions/list-templates': { page: '0' },
};

/** A record that does not exist, once for each kind. */
const MISSING: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'GET /api/quotes/:id': {},
  'GET /api/clients/:id': {},
  'GET /api/products/:id': {},
  'GET /api/imports/:id': {},
  'DELETE /api/labels/:id': {},
  'GET /api/templates/:id': {},
  'GET /api/automations/:id': {},
  'GET /api/webhooks/:id': {},
  'PATCH /api/notifications/:id/read': {},
  'DELETE /api/api-keys/:id': {},
  'DELETE /api/collaborators/:id': {},
};

/** Refusals of every kind. */
export async function refusals(app: Service, recorder: Recorder, made: Made): Promise<void> {
  const { call, chapter } = recorder;
  chapter('2026-12-01T23:00:00.000Z');
  const token = made.expiredToken;
  for (const [route, body] of Object.entries(MISTAKES)) {
    const params = route.includes('/api/automations') ? { id: made.automation } : { id: made.office, token };
    await call(route, { ...(isPublic(route) && { as: {} }), params, body, status: 400 });
  }
  for (const [route, query] of Object.entries(WRONG_QUERIES))
    await call(route, { params: { id: made.office }, query, status: 400 });
  await call('GET /api/quotes/:id', { params: { id: 'COT-101'.repeat(10) }, status: 400 });
  for (const route of Object.keys(MISSING)) await call(route, { params: { id: UNKNOWN }, status: 404 });
  await guards(recorder, made);
  await states(recorder, made);
  await files(recorder, made);
  await deliveries(recorder, made);
  await limits(app, recorder, made);
}

const isPublic = (route: string): boolean => /\/api\/(auth|portal)\//.test(route);

/** Refusals before the handler. */
async function guards({ call }: Recorder, { colleague, palma }: Made): Promise<void> {
  await call('GET /api/quotes', { as: {}, status: 401 });
  await call('GET /api/quotes', { as: { Authorization: 'Bearer svc_0123' }, status: 401 });
  await call('POST /api/auth/callback/credentials', {
    as: {},
    body: { email: 'diana@mueblesroble.example', password: 'no es esta' },
    status: 401,
  });
  await call('GET /api/settings', { as: colleague, status: 403 });
  await call('POST /api/quotes', { body: '{"clientId": ', headers: JSON_TYPE, status: 400 });
  await call('POST /api/quotes', { body: 'clientId=1', headers: { 'Content-Type': 'text/plain' }, status: 415 });
  await call('POST /api/auth/register', { as: {}, body: { name: 'x'.repeat(10_000) }, status: 413 });
  const once = { 'Idempotency-Key': 'pedido-P-77' };
  await call('POST /api/quotes', { body: { clientId: palma, items: [ITEM] }, headers: once, status: 422 });
  await call('POST /api/auth/reset-password', {
    as: {},
    body: { token: 'q3X0m2kPp5r9Yb7uWc1nZt8vLd4sJfHgAe6iKoMxQyR', password: 'cuatro sillas y una mesa' },
    status: 400,
  });
  await call('GET /api/taxes', { query: { color: 'rojo' }, headers: { Prefer: 'handling=strict' }, status: 400 });
  await call('GET /api/clients', { query: { search: 'palma '.repeat(2_000) }, status: 413 });
  await call('POST /api/auth/forgot-password', {
    as: {},
    body: { email: 'diana@mueblesroble.example' },
    headers: { Origin: 'https://otra-pagina.example' },
    status: 403,
  });
  await call('PATCH /api/clients/:id', {
    params: { id: palma },
    body: { notes: 'Paga a 30 días' },
    headers: { 'If-Match': '"1-8Yd0vQ2mKc5xT7wZ"' },
    status: 412,
  });
}
const JSON_TYPE = { 'Content-Type': 'application/json' };
