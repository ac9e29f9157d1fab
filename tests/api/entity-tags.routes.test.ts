import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { apiRoutes } from '../../api/app.ts';
import { sampleOf } from './sample-request.ts';
import type { Route } from '../../api/route.ts';
import { needs } from '../stack.ts';
import { attach, image } from './attachment-files.ts';
import * as build from './build.ts';
import { type Parameter, withIds, type World, world } from './matrix-world.ts';
import { type Credential, type Service, service } from './service.ts';

needs('temporal', 'storage');

/**
 * Calls every route that changes data and reads a quote, its client, its product and the settings after each: another
 * response must have another ETag. Views, temporary links and the number of the next quote do not count.
 */

type Ids = Readonly<Record<Parameter, string>>;

/** Bodies that change what the four records show; the other routes get their samples. */
const BODIES: Readonly<Record<string, object>> = {
  'PATCH /api/clients/:id': { contactName: 'Otra Persona' },
  'PATCH /api/products/:id': { name: 'Otra silla' },
  'PATCH /api/labels/:id': { color: '#123456' },
  'PATCH /api/collaborators/:id': { name: 'Otro Nombre' },
  'PATCH /api/quotes/:id': { validUntil: new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10) },
  'PATCH /api/quotes/:id/status': { status: 'SENT' },
  'PUT /api/settings': { timeZone: 'Asia/Tokyo', country: 'US' },
  'POST /api/quotes/:id/share': { channel: 'link' },
  'POST /api/quotes/:id/revise': { items: [{ ...build.ITEM, quantity: 3 }], clientId: '' },
  'POST /api/collaborators/:id/transfer': { toUserId: '' },
};
/** After the routes that need an open quote, or the record that they remove. */
const LAST = ['DELETE /api/labels/:id', 'PATCH /api/quotes/:id/status', 'POST /api/quotes/:id/share'];
const METHODS = ['PATCH', 'PUT', 'POST', 'DELETE'];

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const orderOf = (route: Route): number => METHODS.indexOf(route.method) + 10 * (LAST.indexOf(nameOf(route)) + 1);
/** The calls that follow need the session. */
const endsSessions = (path: string): boolean => /\/(signout|signout-everywhere|change-password)$/.test(path);
const pathWith = (path: string, ids: Ids): string =>
  // The names of parameters are those of the ids.
  path.replaceAll(/([^/]+\/):\w+/g, (found, segment: string) => segment + ids[found as Parameter]);

function picture(field: string, file: Buffer): FormData {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(file)], { type: 'image/png' }), 'logo.png');
  return form;
}

interface Read {
  readonly shown: unknown;
  readonly etag: string | null;
}

describe('An ETag', () => {
  let app: Service;
  let owner: Credential;
  /** Of paths, and of the records that bodies name. */
  let ids: Ids;
  let referenced: Ids;
  before(async () => {
    app = await service();
    const mine: World = await world({ plan: 'PRO' });
    owner = mine.owner.cookie;
    const colleague = await build.member({ tenantId: mine.tenantId, userId: '', email: '', owner });
    const made = async (path: string, body: object): Promise<string> => {
      const res = await app.post(path, body, owner);
      assert.equal(res.status, 201, JSON.stringify(res.body));
      return res.body.id;
    };
    const client = await made('/api/clients', { contactName: 'Eva' });
    const product = await made('/api/products', { name: 'Silla', unitPrice: 10 });
    const items = [{ ...build.ITEM, productId: product }];
    const { body: quote } = await app.post('/api/quotes', { clientId: client, items }, colleague.as);
    const [label, labelId] = [await made('/api/labels', { name: 'Una' }), await made('/api/labels', { name: 'Dos' })];
    await app.post(`/api/quotes/${quote.id}/labels/${label}`, undefined, owner);
    const { body: attachment } = await attach(app, owner, quote.id);
    ids = {
      ...mine.ids,
      'clients/:id': client,
      'products/:id': product,
      'quotes/:id': quote.id,
      'labels/:id': label,
      'labels/:labelId': labelId,
      'attachments/:attachmentId': attachment.id,
      'collaborators/:id': colleague.userId,
    };
    referenced = { ...ids, 'collaborators/:id': mine.ids['collaborators/:id'] };
  });

  async function read(path: string): Promise<Read> {
    const { body, headers } = await app.get(path, owner);
    const { viewCount: _views, ...shown } = body.data ?? body;
    if (body.data) {
      delete shown.nextQuoteNumber;
      // The rest of the link is a signature.
      shown.logoUrl = shown.logoUrl && new URL(shown.logoUrl).pathname;
    }
    return { shown, etag: headers.get('ETag') };
  }
  const readAll = async (): Promise<Readonly<Record<string, Read>>> => ({
    quote: await read(`/api/quotes/${ids['quotes/:id']}`),
    client: await read(`/api/clients/${ids['clients/:id']}`),
    product: await read(`/api/products/${ids['products/:id']}`),
    settings: await read('/api/settings'),
  });

  async function call(route: Route) {
    const sample = withIds(BODIES[nameOf(route)] ?? (route.body && sampleOf(route.body)), referenced);
    const body = route.upload ? picture(route.upload.field, await image()) : sample;
    await app.request(route.method, pathWith(route.path, ids), { headers: owner, ...(body !== undefined && { body }) });
  }

  it('changes whenever the record shows something else, over all routes that change data', async () => {
    const routes = apiRoutes(app.deps)
      .filter(({ method, access, path }) => method !== 'GET' && access !== 'public' && !endsSessions(path))
      .toSorted((a, b) => orderOf(a) - orderOf(b));
    const changed: Record<string, readonly string[]> = {};
    const problems: string[] = [];

    let before = await readAll();
    for (const route of routes) {
      await call(route);
      const after = await readAll();
      const names = Object.keys(after).filter((name) => !isDeepStrictEqual(after[name]?.shown, before[name]?.shown));
      const stale = names.filter((name) => after[name]?.etag === before[name]?.etag);
      problems.push(...stale.map((name) => `${nameOf(route)}: another ${name}, the same ETag`));
      if (names.length > 0) changed[nameOf(route)] = names;
      before = after;
    }

    assert.deepEqual(problems, []);
    // Otherwise the calls were refused, and the comparison proves nothing.
    assert.deepEqual(changed, {
      'PATCH /api/collaborators/:id': ['quote'],
      'PATCH /api/clients/:id': ['quote', 'client'],
      'PATCH /api/products/:id': ['quote', 'product'],
      'PATCH /api/quotes/:id': ['quote'],
      'PATCH /api/labels/:id': ['quote'],
      'PUT /api/settings': ['quote', 'client', 'settings'],
      'POST /api/collaborators/:id/transfer': ['quote'],
      'POST /api/quotes/:id/revise': ['quote'],
      'POST /api/quotes/:id/attachments': ['quote'],
      'POST /api/settings/logo': ['settings'],
      'POST /api/quotes/:id/labels/:labelId': ['quote'],
      'DELETE /api/clients/:id': ['client'],
      'DELETE /api/products/:id': ['product'],
      'DELETE /api/quotes/:id/attachments/:attachmentId': ['quote'],
      'DELETE /api/settings/logo': ['settings'],
      'DELETE /api/quotes/:id/labels/:labelId': ['quote'],
      'DELETE /api/labels/:id': ['quote'],
      'PATCH /api/quotes/:id/status': ['quote'],
    });
  });
});
