import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { apiRoutes } from '../../api/app.ts';
import type { Route } from '../../api/route.ts';
import { newId } from '../../db/ids.ts';
import { AuditLog } from '../../db/models/audit-log.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { png } from '../adapters/image-files.ts';
import { needs } from '../stack.ts';
import { attach } from './attachment-files.ts';
import * as build from './build.ts';
import { allRows, PARAMETERS, type Parameter } from './matrix-world.ts';
import { fileForm } from './spreadsheet-files.ts';
import { type Credential, type Service, service } from './service.ts';

needs('temporal', 'storage');

/**
 * Calls every declared route that changes data once with success: it must write one audit entry, and routes that create
 * or send must have no second effect for a repeated Idempotency-Key. New routes must be added here, or the test fails.
 */

/** Routes without an audit entry, with the reason. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'PATCH /api/notifications/:id/read': 'it changes no business data',
  'POST /api/notifications/mark-all-read': 'the same',
  'POST /api/quotes/:id/pdf': 'the file is drawn from what is there; nothing of the quote changes',
  'POST /api/quotes/preview': 'it stores nothing',
  'POST /api/quotes/:id/share/preview': 'the same',
  'POST /api/automations/:id/test': 'does nothing',
  'POST /api/webhooks/:id/test': 'the delivery that it records is the entry',
};
/**
 * The first needs a worker, the others end sessions or need a code or an unconfirmed address: journey/share.test.ts and
 * auth.sessions, auth.two-factor and auth.verification.test.ts check their entries.
 */
const ELSEWHERE = [
  'POST /api/quotes/:id/share',
  'POST /api/auth/signout-everywhere',
  'POST /api/auth/change-password',
  'POST /api/auth/two-factor/setup',
  'POST /api/auth/two-factor/enable',
  'POST /api/auth/two-factor/recovery-codes',
  'POST /api/auth/two-factor/disable',
  'POST /api/auth/verify-email/resend',
];

const ITEMS = [{ ...build.ITEM, unitPrice: 7 }];
const ACTION = { type: 'send_notification', title: 'Nueva', body: 'Hay una nueva' };
const TARGET = 'http://127.0.0.1:1/';
const soon = () => new Date(Date.now() + 3 * 24 * 3_600_000).toISOString();
type Made = Readonly<Record<string, string>>;

/** The request for each route. */
const BODIES: Readonly<Record<string, (made: Made) => object>> = {
  'POST /api/api-keys': () => ({ name: 'Integración' }),
  'POST /api/collaborators': () => ({ email: `${newId()}@colaborador.test`, name: 'Eva' }),
  'PATCH /api/collaborators/:id': () => ({ name: 'Eva' }),
  'POST /api/collaborators/:id/transfer': ({ spareUser }) => ({ toUserId: spareUser }),
  'POST /api/clients': () => ({ contactName: 'Eva' }),
  'PATCH /api/clients/:id': () => ({ contactName: 'Eva' }),
  'POST /api/products': () => ({ name: 'Mesa', unitPrice: 10 }),
  'PATCH /api/products/:id': () => ({ name: 'Mesa' }),
  'POST /api/quotes': ({ spareClient }) => ({ clientId: spareClient, items: ITEMS }),
  'POST /api/quotes/preview': ({ spareClient }) => ({ clientId: spareClient, items: ITEMS }),
  'POST /api/quotes/:id/share/preview': () => ({ message: 'Buen día' }),
  'PATCH /api/quotes/:id': () => ({ expiresAt: soon() }),
  'PATCH /api/quotes/:id/status': () => ({ status: 'SENT' }),
  'POST /api/quotes/:id/revise': ({ spareClient }) => ({ clientId: spareClient, items: ITEMS }),
  'PUT /api/settings': () => ({ companyName: `Acme ${newId()}` }),
  'POST /api/labels': () => ({ name: newId() }),
  'PATCH /api/labels/:id': () => ({ name: newId() }),
  'POST /api/templates': () => ({ name: 'Básica', items: ITEMS }),
  'PATCH /api/templates/:id': () => ({ name: 'Otra' }),
  'POST /api/automations': () => ({ name: 'Avisar', trigger: 'QUOTE_SENT', actions: [ACTION] }),
  'POST /api/quotes/:id/messages': () => ({ body: 'Con gusto' }),
  'PATCH /api/automations/:id': () => ({ isActive: false }),
  'POST /api/automations/:id/test': ({ spareQuote }) => ({ quoteId: spareQuote }),
  'POST /api/webhooks': () => ({ url: TARGET, events: ['quote.sent'] }),
  'PUT /api/webhooks/:id': () => ({ isActive: false }),
  'POST /api/connector/actions/create-from-template': ({ spareClient, spareTemplate }) => ({
    clientId: spareClient,
    templateId: spareTemplate,
  }),
  'POST /api/connector/hooks': () => ({ targetUrl: TARGET, event: 'quote.sent' }),
};

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const isParameter = (name: string): name is Parameter => name in PARAMETERS;
const parametersOf = ({ path }: Route): readonly Parameter[] =>
  [...(path.match(/[^/]+\/:\w+/g) ?? [])].filter((name) => isParameter(name));

describe('Every route that changes data', () => {
  let app: Service;
  let changing: readonly Route[];
  let business: build.Business;
  let owner: Credential;
  let spares: Made;
  before(async () => {
    app = await service();
    changing = apiRoutes(app.deps).filter(
      (route) => route.method !== 'GET' && route.access !== 'public' && !ELSEWHERE.includes(nameOf(route)),
    );
    business = await build.business();
    owner = business.owner;
    const { userId: spareUser } = await build.member(business);
    spares = {
      spareUser,
      spareClient: (await build.client(owner)).id,
      spareQuote: (await build.quote(owner)).id,
      spareTemplate: await made('/api/templates', { name: 'Básica', items: ITEMS }),
    };
  });

  const made = async (path: string, body: object): Promise<string> => {
    const res = await app.post(path, body, owner);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body.id;
  };
  const webhook = () => made('/api/webhooks', { url: TARGET, events: ['quote.sent'] });
  const delivery = async (webhookId = '') => {
    const ids = { id: newId(), tenantId: business.tenantId, webhookId, eventId: newId() };
    const payload = JSON.stringify({ event: 'quote.sent', timestamp: new Date().toISOString(), data: {} });
    await app.deps.withTenant(business.tenantId, (trx) =>
      WebhookDelivery.query(trx).insert({ ...ids, event: 'quote.sent', payload }),
    );
    return ids.id;
  };

  /** Creates a new record for each parameter of a path. */
  const MAKE: Readonly<Record<Parameter, (made: Made) => Promise<string>>> = {
    'quotes/:id': async () => (await build.quote(owner)).id,
    'attachments/:attachmentId': async (ids) => (await attach(app, owner, ids['quotes/:id'] ?? '')).body.id,
    'clients/:id': async () => (await build.client(owner)).id,
    'products/:id': async () => (await build.product(business)).id,
    'imports/:id': () => build.importRow(business),
    'labels/:id': () => made('/api/labels', { name: newId() }),
    'labels/:labelId': () => made('/api/labels', { name: newId() }),
    'templates/:id': () => made('/api/templates', { name: 'Básica', items: ITEMS }),
    'automations/:id': () => made('/api/automations', { name: 'Avisar', trigger: 'QUOTE_SENT', actions: [ACTION] }),
    'webhooks/:id': webhook,
    'deliveries/:deliveryId': (ids) => delivery(ids['webhooks/:id']),
    'hooks/:id': webhook,
    'notifications/:id': async () => (await build.notification(business)).id,
    'sessions/:id': () => build.session(business),
    'api-keys/:id': () => made('/api/api-keys', { name: 'Otra' }),
    'collaborators/:id': async () => (await build.member(business)).userId,
  };

  /** Prepares a valid request with new records. */
  async function prepared(route: Route): Promise<() => Promise<{ status: number; text: string; replayed: boolean }>> {
    const ids: Record<string, string> = { ...spares };
    for (const parameter of parametersOf(route)) ids[parameter] = await MAKE[parameter](ids);
    const path = parametersOf(route).reduce(
      (left, parameter) => left.replace(parameter, `${parameter.split(':')[0]}${ids[parameter]}`),
      route.path,
    );
    // Add the label that is to be removed.
    if (nameOf(route) === 'DELETE /api/quotes/:id/labels/:labelId') await app.post(path, undefined, owner);

    const as = route.path.endsWith('/signout') ? await newSession() : owner;
    const headers = { ...as, ...(route.method === 'POST' && { 'Idempotency-Key': newId() }) };
    const body = BODIES[nameOf(route)]?.(ids);
    if (route.body && !route.upload && !body) throw new Error(`${nameOf(route)} has no body here`);
    // The same file each time: a repeated key must come with the same content.
    const upload = route.upload && (await UPLOADS[route.upload.field]?.(route));
    return async () => {
      const response = await fetch(app.url + path, {
        method: route.method,
        headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        ...(upload && { body: upload }),
      });
      const replayed = response.headers.get('Idempotency-Replayed') === 'true';
      return { status: response.status, text: await response.text(), replayed };
    };
  }

  const newSession = async (): Promise<Credential> => {
    const { email } = business;
    return build.cookieOf(
      (await app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD })).headers,
    );
  };
  const UPLOADS: Readonly<Record<string, (route: Route) => FormData | Promise<FormData>>> = {
    logo: () => picture('logo'),
    file: ({ path }) => {
      if (path.endsWith('/attachments')) return picture('file');
      const head = path.startsWith('/api/clients/') ? 'contacto,correo' : 'nombre,precio';
      const cells = path.startsWith('/api/clients/') ? `Ana,${newId()}@import.test` : 'Silla,10';
      return fileForm(`${head}\n${cells}`);
    },
  };
  async function picture(field: string): Promise<FormData> {
    const form = new FormData();
    form.set(field, new Blob([new Uint8Array(await png({ width: 9, height: 9 }))]), 'logo.png');
    return form;
  }
  const entries = () =>
    app.deps.withTenant(business.tenantId, (trx) =>
      AuditLog.query(trx).where({ tenantId: business.tenantId }).resultSize(),
    );

  it('writes one audit entry, except those that change no business data', async () => {
    const written: Record<string, number> = {};
    const failed: string[] = [];
    for (const route of changing) {
      const send = await prepared(route);
      const before = await entries();
      const { status, text } = await send();
      if (status !== 502 && (status < 200 || status > 299)) failed.push(`${nameOf(route)}: ${status} ${text}`);
      written[nameOf(route)] = (await entries()) - before;
    }

    assert.deepEqual(failed, []);
    assert.deepEqual(
      Object.entries(written).filter(([, count]) => count > 1),
      [],
    );
    assert.deepEqual(
      Object.keys(written)
        .filter((name) => written[name] === 0)
        .sort(),
      Object.keys(WITHOUT_ENTRY).sort(),
    );
  });

  it('creating and sending routes have one effect and one response for a repeated Idempotency-Key', async () => {
    const problems: string[] = [];
    const creating = changing.filter(({ idempotency }) => idempotency === 'transaction');
    for (const route of creating) {
      const send = await prepared(route);
      const first = await send();
      const before = await allRows(business.tenantId);
      const second = await send();
      const same = second.replayed && second.text === first.text && second.status === first.status;
      const rows = await allRows(business.tenantId);
      if (!same || !isDeepStrictEqual(rows, before)) problems.push(`${nameOf(route)}: ${second.status} ${second.text}`);
    }

    assert.deepEqual(problems, []);
    assert.ok(creating.length > 10);
  });

  it('ignores an Idempotency-Key only where a second call creates and sends nothing', () => {
    const ignoring = changing.filter(({ idempotency }) => idempotency === 'none').map(nameOf);

    assert.deepEqual(ignoring.sort(), [
      'POST /api/auth/signout',
      'POST /api/automations/:id/test',
      'POST /api/notifications/mark-all-read',
      'POST /api/quotes/:id/pdf',
      'POST /api/quotes/:id/share/preview',
      'POST /api/quotes/preview',
      'POST /api/settings/logo',
    ]);
  });

  it('idempotency «external» is used only for work outside the database', () => {
    const outside = apiRoutes(app.deps).filter(({ idempotency }) => idempotency === 'external');

    assert.deepEqual(outside.map(nameOf).sort(), [
      'POST /api/quotes/:id/attachments',
      'POST /api/quotes/:id/share',
      'POST /api/webhooks/:id/test',
    ]);
  });
});
