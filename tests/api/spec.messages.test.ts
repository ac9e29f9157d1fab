import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { png } from '../adapters/image-files.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Credential, ownService, type Response, type Service, service } from './service.ts';

needs('temporal', 'storage');

/**
 * Each documented error message, which starts the name of its test. «Error al enviar el correo» needs a worker and a
 * mail server: tests/journey/spec.rows.test.ts.
 */
describe('Documented error messages', () => {
  let app: Service;
  let business: build.Business;
  let owner: Credential;
  let free: build.Business;
  let foreign: build.Business;
  before(async () => {
    app = await service();
    [business, free, foreign] = await Promise.all([
      build.business(),
      build.business({ plan: 'FREE' }),
      build.business(),
    ]);
    owner = business.owner;
  });

  const says = ({ status, body }: Response, expected: readonly [status: number, error: string, code: string]) =>
    assert.deepEqual([status, body.error, body.code], expected);
  const templateOf = async (as: Credential) =>
    (await app.post('/api/templates', { name: 'Básica', items: [build.ITEM] }, as)).body.id as string;
  const upload = async (body: FormData): Promise<Response> => {
    const res = await fetch(`${app.url}/api/settings/logo`, { method: 'POST', headers: owner, body });
    const bytes = Buffer.from(await res.arrayBuffer());
    return { status: res.status, headers: res.headers, body: JSON.parse(bytes.toString()), bytes };
  };
  const form = (file: Buffer, field = 'logo') => {
    const data = new FormData();
    data.set(field, new Blob([new Uint8Array(file)]), 'logo.png');
    return data;
  };

  it('400 validation message: empty items on quote create «items: debe tener al menos un elemento»', async () => {
    const { id: clientId } = await build.client(owner);

    const res = await app.post('/api/quotes', { clientId, items: [] }, owner);

    says(res, [400, 'items: debe tener al menos un elemento', 'invalid']);
    assert.deepEqual(res.body.details, [{ path: 'items', message: 'debe tener al menos un elemento' }]);
  });

  it('400 validation message: template create without a name «name: es obligatorio»', async () => {
    const res = await app.post('/api/templates', { items: [build.ITEM] }, owner);

    says(res, [400, 'name: es obligatorio', 'invalid']);
  });

  it('400 «Parámetros inválidos»: an audit log query with a malformed date', async () => {
    const res = await app.get('/api/audit-logs?from=01/11/2026', owner);

    says(res, [400, 'Parámetros inválidos', 'invalid']);
  });

  it('400 «Parámetros inválidos»: an audit log query with an invalid CUID', async () => {
    const res = await app.get('/api/audit-logs?userId=123', owner);

    says(res, [400, 'Parámetros inválidos', 'invalid']);
  });

  it('400 «No se puede cambiar de <from> a <to>»: an invalid transition, GENERATED to WON', async () => {
    const quote = await build.quote(owner);

    const res = await app.patch(`/api/quotes/${quote.id}/status`, { status: 'WON' }, owner);

    says(res, [400, 'No se puede cambiar de GENERATED a WON', 'invalid_transition']);
  });

  it('400 «No se proporcionó un archivo»: a logo upload without the logo field', async () => {
    says(await upload(form(Buffer.from('x'), 'archivo')), [400, 'No se proporcionó un archivo', 'invalid']);
  });

  it('400 «Tipo de archivo no permitido. Use PNG, JPG, WebP o SVG.»: a logo of a disallowed type', async () => {
    const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n');

    const res = await upload(form(pdf));

    says(res, [400, 'Tipo de archivo no permitido. Use PNG, JPG, WebP o SVG.', 'invalid']);
  });

  it('400 «El archivo excede el tamaño máximo de 2MB»: a logo larger than 2 MB', async () => {
    const image = await png({ width: 10, height: 10 });
    const large = Buffer.concat([image, Buffer.alloc(2 * 1024 * 1024)]);

    const res = await upload(form(large));

    says(res, [400, 'El archivo excede el tamaño máximo de 2MB', 'invalid']);
  });

  const sessions: readonly [which: string, credential: Credential][] = [
    ['missing', {}],
    ['invalid', { Cookie: 'quoting.session-token=basura' }],
  ];
  for (const [which, credential] of sessions) {
    it(`401 «No autorizado»: a session that is ${which}`, async () => {
      says(await app.get('/api/quotes', credential), [401, 'No autorizado', 'unauthenticated']);
    });
  }

  it('401 «No autorizado»: a session that is expired', async () => {
    const { owner: expired, tenantId } = await build.business();
    await app.deps.withTenant(tenantId, (trx) =>
      trx('sessions')
        .where({ tenantId })
        .update({ expiresAt: new Date(Date.now() - 1_000) }),
    );

    says(await app.get('/api/quotes', expired), [401, 'No autorizado', 'unauthenticated']);
  });

  it('403 «Sin permisos»: the role lacks the required permission', async () => {
    const { as } = await build.member(business);

    says(await app.get('/api/settings', as), [403, 'Sin permisos', 'forbidden']);
  });

  it('403 «Función disponible en plan PRO»: a FREE tenant on a PRO template write, create and update', async () => {
    const expected = [403, 'Función disponible en plan PRO', 'plan_required'] as const;

    says(await app.post('/api/templates', { name: 'Básica', items: [build.ITEM] }, free.owner), expected);
    says(await app.patch(`/api/templates/${newId()}`, { name: 'Otra' }, free.owner), expected);
  });

  it('403 «Función disponible en el plan Pro»: a FREE tenant on audit logs', async () => {
    says(await app.get('/api/audit-logs', free.owner), [403, 'Función disponible en el plan Pro', 'plan_required']);
  });

  it('403 «Función disponible en el plan Pro»: a FREE tenant on duplicate', async () => {
    const quote = await build.quote(free.owner);

    const res = await app.post(`/api/quotes/${quote.id}/duplicate`, undefined, free.owner);

    says(res, [403, 'Función disponible en el plan Pro', 'plan_required']);
  });

  it('403 «Función no disponible en el plan actual»: the plan does not support quote revision', async () => {
    const quote = await build.quote(free.owner);

    const res = await app.post(`/api/quotes/${quote.id}/revise`, { items: [build.ITEM] }, free.owner);

    says(res, [403, 'Función no disponible en el plan actual', 'plan_required']);
  });

  const clients: readonly [which: string, make: () => Promise<string>][] = [
    ['missing', async () => newId()],
    ['of another tenant', async () => (await build.client(foreign.owner)).id],
    [
      'inactive',
      async () => {
        const { id } = await build.client(owner);
        await app.request('DELETE', `/api/clients/${id}`, { headers: owner });
        return id;
      },
    ],
  ];
  for (const [which, make] of clients) {
    it(`404 «Cliente no encontrado»: a client that is ${which}, on quote create`, async () => {
      const res = await app.post('/api/quotes', { clientId: await make(), items: [build.ITEM] }, owner);

      says(res, [404, 'Cliente no encontrado', 'not_found']);
    });
  }

  const quotes: readonly [which: string, make: () => Promise<string>][] = [
    ['missing', async () => newId()],
    ['of another tenant', async () => (await build.quote(foreign.owner)).id],
    ['not the collaborator’s own', async () => (await build.quote(owner)).id],
  ];
  for (const [which, make] of quotes) {
    it(`404 «Cotización no encontrada»: a quote that is ${which}`, async () => {
      const { as } = await build.member(business);

      says(await app.get(`/api/quotes/${await make()}`, as), [404, 'Cotización no encontrada', 'not_found']);
    });
  }

  it('404 «Plantilla no encontrada»: a template that is not in the tenant', async () => {
    const id = await templateOf(foreign.owner);

    says(await app.get(`/api/templates/${id}`, owner), [404, 'Plantilla no encontrada', 'not_found']);
  });

  it('404 «Webhook no encontrado»: a webhook that is not in the tenant', async () => {
    const body = { url: 'http://127.0.0.1:1/', events: ['quote.created'] };
    const { id } = (await app.post('/api/webhooks', body, foreign.owner)).body;

    says(await app.get(`/api/webhooks/${id}`, owner), [404, 'Webhook no encontrado', 'not_found']);
  });

  it('404 «Negocio no encontrado»: the tenant is gone when its settings are read, changed or given a logo', async () => {
    // Authentication reads the caller with another query; only the route's transaction lacks the business.
    const vanishing = await ownService({}, (deps) => ({
      ...deps,
      withTenant: (_tenantId, work) => deps.withTenant(newId(), work),
    }));
    const expected = [404, 'Negocio no encontrado', 'not_found'] as const;
    const image = form(await png({ width: 10, height: 10 }));

    says(await vanishing.get('/api/settings', owner), expected);
    says(await vanishing.request('PUT', '/api/settings', { headers: owner, body: { phone: '222' } }), expected);
    const logo = await fetch(`${vanishing.url}/api/settings/logo`, { method: 'POST', headers: owner, body: image });
    assert.deepEqual([logo.status, ((await logo.json()) as { error: string }).error], expected.slice(0, 2));
  });

  it('404 «No encontrada»: a notification that is missing', async () => {
    const res = await app.request('PATCH', `/api/notifications/${newId()}/read`, { headers: owner });

    says(res, [404, 'No encontrada', 'not_found']);
  });

  it('404 «No encontrada»: a notification of another user', async () => {
    const { id } = await build.notification(business);
    const { as } = await build.member(business);

    says(await app.request('PATCH', `/api/notifications/${id}/read`, { headers: as }), [
      404,
      'No encontrada',
      'not_found',
    ]);
  });

  it('502 «No se pudo conectar con el endpoint»: the webhook test connection fails', async () => {
    const body = { url: 'http://127.0.0.1:1/', events: ['quote.created'] };
    const { id } = (await app.post('/api/webhooks', body, owner)).body;

    const res = await app.post(`/api/webhooks/${id}/test`, undefined, owner);

    says(res, [502, 'No se pudo conectar con el endpoint', 'unreachable']);
  });
});
