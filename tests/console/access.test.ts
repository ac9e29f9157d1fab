import assert from 'node:assert/strict';
import { consolePages } from '../../api/console/routes.ts';
import type { Page } from '../../api/console/declaration.ts';
import { newId } from '../../db/ids.ts';
import { can } from '../../domain/permissions.ts';
import { form, pdf } from '../api/attachment-files.ts';
import * as build from '../api/build.ts';
import { type Credential, service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { type Callers, callers } from './callers.ts';
import { attach, open, type Shown, submit } from './browse.ts';

// Workflow executions of a quote and its files.
needs('temporal', 'storage');

/** Paths with ids of a business; a new parameter needs a record here. */
type Ids = Readonly<Record<string, string>>;

const nameOf = ({ method, path }: Page): string => `${method} ${path}`;
const parameterOf = ({ path }: Page): string | undefined => /[^/]+\/:\w+/.exec(path)?.[0];

describe('Access to the console: every declared page for every kind of caller', () => {
  let pages: readonly Page[];
  let who: Callers;
  let own: Ids;
  let foreign: Ids;

  before(async () => {
    pages = consolePages((await service()).deps);
    who = await callers();
    own = await idsOf(who.owner);
    foreign = await idsOf(who.other);
  });

  async function idsOf(business: build.Business): Promise<Ids> {
    // Without an address, so that a share is refused and no mail is waited for.
    const client = await build.client(business.owner, { companyName: `Canario ${business.tenantId}`, email: null });
    const quote = await build.quote(business.owner, { clientId: client.id });
    const key = await (await service()).post('/api/api-keys', { name: 'Contabilidad' }, business.owner);
    const connected = await connections(business, client.id);
    return {
      ...connected,
      'clients/:id': client.id,
      'quotes/:id': quote.id,
      'pipeline/:id': quote.id,
      'team/:id': (await build.member(business)).userId,
      'notifications/:id': (await build.notification(business)).id,
      'api-keys/:id': key.body.id,
      'sessions/:id': await build.session(business),
      'products/:id': (await build.product(business)).id,
      'imports/:id': await build.importRow(business),
      'templates/:id': await templateOf(business),
    };
  }

  async function templateOf({ tenantId, owner }: build.Business): Promise<string> {
    const app = await service();
    const template = { name: `Plantilla ${tenantId}`, items: [build.ITEM] };
    return (await app.post('/api/templates', template, owner)).body.id;
  }

  /** An automation, and a webhook with a delivery that failed: the endpoint is closed. */
  async function connections({ owner }: build.Business, name: string): Promise<Ids> {
    const app = await service();
    const actions = [{ type: 'send_notification', title: 'Aviso', body: 'Hola' }];
    const automation = await app.post('/api/automations', { name, trigger: 'QUOTE_SENT', actions }, owner);
    const url = 'http://127.0.0.1:9/avisos';
    const webhook = await app.post('/api/webhooks', { url, events: ['quote.sent'] }, owner);
    await app.post(`/api/webhooks/${webhook.body.id}/test`, undefined, owner);
    const { data } = (await app.get(`/api/webhooks/${webhook.body.id}/deliveries`, owner)).body;
    return {
      'automations/:id': automation.body.id,
      'webhooks/:id': webhook.body.id,
      'deliveries/:deliveryId': data[0].id,
    };
  }

  const guarded = () => pages.filter(({ access }) => access !== 'public');
  const pathOf = ({ path }: Page, ids: Ids): string =>
    path.replaceAll(/([^/]+)\/:\w+/g, (parameter, segment) => `${segment}/${ids[parameter] ?? newId()}`);

  /** A GET, or a POST without fields. Nothing of another business may be in the response. */
  async function visit(page: Page, as: Credential, ids: Ids = own): Promise<Shown> {
    const path = pathOf(page, ids);
    const res = page.method === 'GET' ? await open(path, as) : await send(page, path, as);
    const strangers = [who.other, who.free, who.unverified, who.owner].filter(({ owner }) => owner !== as);
    for (const { tenantId, email } of strangers) {
      if (as === who.collaborator && tenantId === who.owner.tenantId) continue;
      assert.ok(!res.html.includes(tenantId) && !res.html.includes(email), `${nameOf(page)} shows another business`);
    }
    return res;
  }

  const send = ({ upload }: Page, path: string, as: Credential): Promise<Shown> =>
    upload ? attach(path, form(pdf()), as) : submit(path, {}, { as });

  async function problems(list: readonly Page[], check: (page: Page) => Promise<string | undefined>) {
    assert.ok(list.length > 0);
    const found: string[] = [];
    for (const page of list) {
      const problem = await check(page);
      if (problem !== undefined) found.push(`${nameOf(page)}: ${problem}`);
    }
    return found;
  }

  it('has a record for every parameter', () => {
    const unknown = pages.flatMap((page) => {
      const parameter = parameterOf(page);
      return parameter === undefined || parameter in own ? [] : [nameOf(page)];
    });

    assert.deepEqual(unknown, []);
  });

  it('declares each page once', () => {
    assert.equal(new Set(pages.map(nameOf)).size, pages.length);
  });

  for (const [kind, credential] of [
    ['nobody', () => Promise.resolve({})],
    ['a garbage cookie', () => Promise.resolve({ Cookie: 'quoting.session-token=basura' })],
    ['an API key', async () => (await build.member(who.owner, { role: 'OWNER' })).as],
  ] as const) {
    it(`leads ${kind} to the sign-in: 303 for a page, 401 for a form`, async () => {
      const as = await credential();

      const found = await problems(guarded(), async (page) => {
        const { status, headers, html } = await visit(page, as);
        if (page.method === 'GET') {
          const location = headers.get('Location') ?? '';
          return status === 303 && /^\/login(\?|$)/.test(location) ? undefined : `${status} ${location}`;
        }
        return status === 401 && html.includes('Su sesión terminó') ? undefined : String(status);
      });

      assert.deepEqual(found, []);
    });
  }

  /** A page opens; a form without fields is refused for its fields at most. */
  const letThrough = ({ status }: Shown): string | undefined =>
    [200, 303, 400, 404, 409, 422].includes(status) ? undefined : String(status);

  /** Signing out comes last: it ends the session of the test. */
  const inOrder = (list: readonly Page[]) => list.toSorted((a, b) => Number(endsSession(a)) - Number(endsSession(b)));
  const endsSession = ({ path }: Page): boolean => path === '/logout' || path.endsWith('/end-all');
  const kept = (list: readonly Page[]) => inOrder(list).filter((page) => !endsSession(page));

  it('opens every page to an owner on PRO', async () => {
    const found = await problems(kept(guarded()), async (page) => letThrough(await visit(page, who.owner.owner)));

    assert.deepEqual(found, []);
  });

  it('opens to a collaborator exactly the pages that the role permits, and explains the others with 403', async () => {
    const found = await problems(kept(guarded()), async (page) => {
      const res = await visit(page, who.collaborator);
      const isOpen = page.access === 'authenticated' || (page.access !== 'public' && can('COLLABORATOR', page.access));
      if (isOpen) return letThrough(res);
      return res.status === 403 && res.html.includes('Solo los dueños') ? undefined : String(res.status);
    });

    assert.deepEqual(found, []);
  });

  it('explains PRO with 403 to an owner on FREE, and opens all other pages', async () => {
    const found = await problems(kept(guarded()), async (page) => {
      const res = await visit(page, who.free.owner);
      if (page.feature === undefined) return letThrough(res);
      return res.status === 403 && res.html.includes('Disponible en el plan PRO') ? undefined : String(res.status);
    });

    assert.deepEqual(found, []);
  });

  it('opens every page to an owner whose address is not confirmed; only forms are refused', async () => {
    const found = await problems(kept(guarded()), async (page) => {
      const res = await visit(page, who.unverified.owner);
      return page.method === 'POST' && res.status === 403 ? undefined : letThrough(res);
    });

    assert.deepEqual(found, []);
  });

  it('answers 404 for records of another business', async () => {
    const records = pages.filter((page) => parameterOf(page) !== undefined);
    const missing: string[] = [];
    for (const page of records) {
      const { status } = await visit(page, who.owner.owner, foreign);
      if (status !== 404) missing.push(`${nameOf(page)}: ${status}`);
    }

    assert.deepEqual(missing, []);
  });

  it('refuses every form from another origin with 403, with and without a session', async () => {
    const { deps } = await service();
    const foreignHeaders: readonly Credential[] = [
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://malo.example' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://malo.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: new URL(deps.config.PUBLIC_URL).origin },
      {},
    ];

    const found = await problems(
      pages.filter(({ method }) => method === 'POST'),
      async (page) => {
        const statuses = await Promise.all(
          foreignHeaders.map(async (headers) => {
            const { status } = await submit(pathOf(page, own), {}, { as: who.owner.owner, headers });
            return status;
          }),
        );
        return statuses.every((status) => status === 403) ? undefined : statuses.join();
      },
    );

    assert.deepEqual(found, []);
  });

  it('accepts a form of our own origin without Sec-Fetch-Site, and Origin null from the same origin', async () => {
    const { deps } = await service();
    const { origin } = new URL(deps.config.PUBLIC_URL);
    const statuses = await Promise.all(
      [
        { Origin: origin },
        { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
        { 'Sec-Fetch-Site': 'same-origin' },
      ].map(async (headers) => (await submit('/app/clients/new', {}, { as: who.owner.owner, headers })).status),
    );

    assert.deepEqual(statuses, [400, 400, 400]);
  });

  it('every page has the policy of its kind and is not stored', async () => {
    const found = await problems(kept(pages), async (page) => {
      const { headers } = await visit(page, page.access === 'public' ? {} : who.owner.owner);
      const policy = headers.get('Content-Security-Policy') ?? '';
      const isStrict = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"].every(
        (directive) => policy.split('; ').includes(directive),
      );
      const referrer = page.hasTokenInUrl ? 'no-referrer' : 'same-origin';
      const isFine =
        isStrict &&
        /(^|, )no-store$/.test(headers.get('Cache-Control') ?? '') &&
        headers.get('Referrer-Policy') === referrer;
      return isFine ? undefined : `${policy} ${headers.get('Cache-Control')} ${headers.get('Referrer-Policy')}`;
    });

    assert.deepEqual(found, []);
  });

  it('signs out last', async () => {
    const { status, headers } = await submit('/logout', {}, { as: who.owner.owner });

    assert.equal(status, 303);
    assert.match(headers.getSetCookie().join(), /quoting\.session-token=;/);
  });
});
