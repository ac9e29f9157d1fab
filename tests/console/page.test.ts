import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import { createOperations } from '../../api/console/call.ts';
import { page } from '../../api/console/declaration.ts';
import { newForm } from '../../api/console/form.ts';
import { ownPaths } from '../../api/console/guards.ts';
import { servePage, submitted } from '../../api/console/page.ts';
import { clientFormPage } from '../../console/clients/form-page.ts';
import { fieldsOf, type FormState } from '../../console/forms/form-state.ts';
import { Client } from '../../db/models/client.ts';
import { html } from '../../domain/html.ts';
import * as build from '../api/build.ts';
import { type Credential, ownService, type Service, service } from '../api/service.ts';
import { capturedLog } from '../captured-log.ts';
import { errorAt, fieldsIn, filled, FORM, type Shown, submit, titleOf } from './browse.ts';
import { collaboratorOf } from './callers.ts';

/** What a declaration does, on pages that only this test has. */
const PATH = '/app/prueba';
const text = (title: string) => ({ title, body: html`<h1>${title}</h1>` });

const PAGES = [
  page({ method: 'GET', path: `${PATH}/dueno`, access: 'config:manage', handle: () => text('Del dueño') }),
  page({
    method: 'GET',
    path: `${PATH}/pro`,
    access: 'authenticated',
    feature: 'webhooks',
    handle: () => text('De PRO'),
  }),
  page({
    method: 'POST',
    path: `${PATH}/llamada`,
    access: 'authenticated',
    handle: async ({ call }) => {
      // Of owners on PRO, with a confirmed address.
      await call('createWebhook', { body: { url: 'https://example.com/', events: ['quote.created'] } });
      return text('Hecho');
    },
  }),
  page({
    method: 'GET',
    path: `${PATH}/falla`,
    access: 'authenticated',
    handle: () => Promise.reject(new Error('el secreto interno')),
  }),
  page({
    method: 'GET',
    path: `${PATH}/:id`,
    access: 'clients:update',
    handle: async ({ params: { id = '' }, path, callWithTag }) => {
      const { body, tag } = await callWithTag('getClient', { params: { id } });
      return show(path)(newForm(fieldsOf(body), tag));
    },
  }),
  page({
    method: 'POST',
    path: `${PATH}/:id`,
    access: 'clients:update',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { params, form, path, call } = request;
          const body = form.bodyFor('updateClient');
          await call('updateClient', { params: { id: params['id'] ?? '' }, body, tag: form.tag });
          return { redirectTo: path };
        },
        show: async (form) => {
          const { tag } = await request.callWithTag('getClient', { params: { id: request.params['id'] ?? '' } });
          return show(request.path)({ ...form, tag });
        },
      }),
  }),
];

const show = (path: string) => (form: FormState) =>
  clientFormPage({ form, title: 'Cliente', action: path, submit: 'Guardar', cancel: '/app', current: path });

describe('A declared page', () => {
  let app: Service;
  before(async () => {
    await service();
    app = await withPages({});
  });

  const withPages = (settings: Record<string, string>, changed?: (deps: Service['deps']) => Service['deps']) =>
    ownService(settings, changed, (router, deps) => {
      const parts = { deps, operations: createOperations(deps, apiRoutes(deps)), paths: ownPaths(PAGES) };
      for (const each of PAGES) servePage(router, parts, each);
    });

  async function get(path: string, as: Credential, from = app): Promise<Shown> {
    const { status, headers, bytes } = await from.get(path, as);
    return { status, headers, html: bytes.toString() };
  }

  it('of owners answers 403 to a collaborator and says who may open it', async () => {
    const business = await build.business();

    const owner = await get(`${PATH}/dueno`, business.owner);
    const collaborator = await get(`${PATH}/dueno`, await collaboratorOf(business));

    assert.deepEqual([owner.status, collaborator.status], [200, 403]);
    assert.match(collaborator.html, /Solo los dueños del negocio/);
    assert.ok(!collaborator.html.includes('Del dueño'));
  });

  it('of PRO answers 403 on FREE, explains the benefit and what stays possible', async () => {
    const { owner } = await build.business({ plan: 'FREE' });

    const { status, html: shown } = await get(`${PATH}/pro`, owner);

    assert.equal(status, 403);
    assert.match(shown, /Disponible en el plan PRO[^]*aviso firmado[^]*En FREE puede seguir/);
    assert.ok(!shown.includes('De PRO'));
  });

  it('calls operations with the admission of their routes: role, plan and confirmed address', async () => {
    const business = await build.business();
    const call = async (as: Credential) => {
      const { status, html: shown } = await submit(`${PATH}/llamada`, {}, { as, app });
      return [status, titleOf(shown)];
    };

    assert.deepEqual(await call(await collaboratorOf(business)), [403, 'Su cuenta no tiene acceso a esta página']);
    assert.deepEqual(await call((await build.business({ plan: 'FREE' })).owner), [403, 'Disponible en el plan PRO']);
    assert.deepEqual(await call((await build.business({ isVerified: false })).owner), [
      403,
      'Confirme su correo electrónico',
    ]);
    assert.deepEqual(await call(business.owner), [200, 'Hecho']);
  });

  it('answers 500 to a fault, with a code for support and nothing of the error', async () => {
    const { lines, log } = capturedLog('error');
    const own = await withPages({}, (deps) => ({ ...deps, log }));
    const { owner } = await build.business();

    const { status, headers, html: shown } = await get(`${PATH}/falla`, owner, own);

    assert.equal(status, 500);
    assert.ok(shown.includes(headers.get('X-Request-Id') ?? 'none') && !shown.includes('secreto'));
    assert.match(lines.join(''), /el secreto interno/);
  });

  it('answers 404 with a page to an unknown path, and to a record that does not exist', async () => {
    const { owner } = await build.business();

    const path = await get('/app/desconocida/mas', owner);
    const record = await get(`${PATH}/c000000000000000000000000`, owner);

    assert.deepEqual([path.status, titleOf(path.html)], [404, 'Esta página no existe']);
    assert.deepEqual([record.status, titleOf(record.html)], [404, 'Cliente no encontrado']);
  });

  it('shows notices of the list only, never a text of the address', async () => {
    const { owner } = await build.business();

    const known = await get('/app?notice=client_created', owner);
    const others = await Promise.all(
      ['Pague+aqu%C3%AD', 'constructor', '__proto__', 'toString'].map((code) => get(`/app?notice=${code}`, owner)),
    );

    assert.match(known.html, /notice-good/);
    for (const { status, html: shown } of others) {
      assert.equal(status, 200);
      assert.ok(!shown.includes('notice-good') && !shown.includes('Pague'));
    }
  });

  it('answers 429 with a page and Retry-After beyond the limit of the user', async () => {
    const limited = await withPages({ RATE_LIMITS: 'on', RATE_USER_PER_MINUTE: '3' });
    const { owner } = await build.business();
    const pages: Shown[] = [];
    for (let sent = 0; sent < 4; sent += 1) pages.push(await get('/app', owner, limited));

    const [last] = pages.slice(-1);
    assert.deepEqual(
      pages.map(({ status }) => status),
      [200, 200, 200, 429],
    );
    assert.ok(Number(last?.headers.get('Retry-After')) > 0);
    assert.match(last?.html ?? '', /Demasiadas solicitudes seguidas/);
  });

  it('counts pages without a session against their address', async () => {
    const limited = await withPages({ RATE_LIMITS: 'on', RATE_ADDRESS_PER_MINUTE: '3' });
    const statuses: number[] = [];
    for (const path of ['/login', '/app', '/register', '/login']) statuses.push((await get(path, {}, limited)).status);

    assert.deepEqual(statuses, [200, 303, 200, 429]);
  });

  it('refuses forms with too many fields or too long names', async () => {
    const { owner: as } = await build.business();
    const many = Array.from({ length: 25_001 }, (_, at) => [`n${at}`, ''] as const);

    const statuses = [
      (await submit('/app/clients/new', many, { as })).status,
      (await submit('/app/clients/new', { contactName: 'Laura', ['n'.repeat(301)]: '' }, { as })).status,
      (await submit('/login', many)).status,
    ];

    assert.deepEqual(statuses, [413, 400, 413]);
  });

  it('refuses a form whose escapes are not UTF-8', async () => {
    const { owner } = await build.business();
    const headers = { ...FORM, ...owner, 'Sec-Fetch-Site': 'same-origin' };

    const { status } = await app.request('POST', '/app/clients/new', { headers, body: 'contactName=%ff' });

    assert.equal(status, 400);
  });

  describe('with the form of a record', () => {
    async function form() {
      const business = await build.business();
      const client = await build.client(business.owner, { phone: '55 1234 5678', notes: 'uno\ndos' });
      const path = `${PATH}/${client.id}`;
      const { html: shown } = await get(path, business.owner);
      const stored = () =>
        app.deps.withTenant(business.tenantId, (trx) => Client.query(trx).findById(client.id).throwIfNotFound());
      const send = (fields: [string, string][]) => submit(path, fields, { as: business.owner, app });
      return { business, client, path, shown, stored, send };
    }

    it('changes what was changed and clears what was emptied', async () => {
      const { shown, stored, send, path } = await form();

      const { status, headers } = await send(filled(shown, { contactName: 'Lorena', phone: '' }));

      assert.deepEqual([status, headers.get('Location')], [303, path]);
      const { contactName, phone, notes, companyName } = await stored();
      assert.deepEqual(
        { contactName, phone, notes, companyName },
        {
          contactName: 'Lorena',
          phone: null,
          notes: 'uno\ndos',
          companyName: 'La Palma',
        },
      );
    });

    it('shows a required field that was emptied as wrong, and changes nothing', async () => {
      const { shown, stored, send } = await form();

      const refused = await send(filled(shown, { contactName: '', phone: '1' }));

      assert.equal(refused.status, 400);
      assert.equal(errorAt(refused.html, 'contactName'), 'No puede estar vacío');
      assert.equal((await stored()).phone, '55 1234 5678');
    });

    it('answers 412 when the record changed meanwhile, keeps the input, and saves it at the second submission', async () => {
      const { shown, stored, send, client, business } = await form();
      await app.patch(`/api/clients/${client.id}`, { phone: '99' }, business.owner);

      const refused = await send(filled(shown, { contactName: 'Lorena' }));
      const before = await stored();
      const saved = await send(fieldsIn(refused.html));

      assert.equal(refused.status, 412);
      assert.match(refused.html, /Alguien cambió estos datos mientras usted los editaba\.[^]*Vea la versión actual/);
      assert.ok(refused.html.includes('value="Lorena"'));
      assert.deepEqual([before.contactName, before.phone], ['Laura Méndez', '99']);
      assert.equal(saved.status, 303);
      assert.equal((await stored()).contactName, 'Lorena');
    });

    it('answers 404 to the owner of another business, and changes nothing', async () => {
      const { path, shown, stored } = await form();
      const { owner: as } = await build.business();

      const [page, posted] = [
        await get(path, as),
        await submit(path, filled(shown, { contactName: 'X' }), { as, app }),
      ];

      assert.deepEqual([page.status, posted.status], [404, 404]);
      assert.equal((await stored()).contactName, 'Laura Méndez');
    });
  });
});

describe('A form that is carried over the sign-in', () => {
  it('goes to forms of pages with a session only', async () => {
    const business = await build.business();
    const sent = { email: business.email, password: build.PASSWORD, 'carried.contactName': 'Laura' };

    const locations: (string | null)[] = [];
    for (const carriedTo of [
      'https://malo.example/',
      '//malo.example',
      '/login',
      '/register',
      '/api/clients',
      '/app',
    ]) {
      locations.push((await submit('/login', { ...sent, carriedTo })).headers.get('Location'));
    }
    const own = await submit('/login', { ...sent, carriedTo: '/app/clients/new' });

    assert.deepEqual(new Set(locations), new Set(['/app']));
    assert.equal(own.status, 200);
    assert.match(own.html, /action="\/app\/clients\/new"/);
  });
});
