import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Components } from '../../api/openapi/components.ts';
import { type OpenApi, type Operation } from './conformance.ts';
import { type Service, service } from './service.ts';

interface Document extends OpenApi {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly 'x-displayName': string; readonly description: string }[];
  readonly webhooks: Readonly<Record<string, { readonly post: unknown }>>;
  readonly components: OpenApi['components'] & { readonly securitySchemes: object };
}

describe('GET /api/v1/openapi.json', () => {
  let app: Service;
  let document: Document;
  let sessions: Document;
  before(async () => {
    app = await service();
    document = (await app.get('/api/v1/openapi.json')).body;
    sessions = (await app.get('/api/openapi.json')).body;
  });

  const operationsOf = ({ paths }: OpenApi): readonly (readonly [string, Operation])[] =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    );
  const idsOf = (from: OpenApi) => operationsOf(from).map(([name, { operationId }]) => [operationId, name] as const);

  it('equals packages/client/openapi.json; after a change run `npm run openapi`', async () => {
    const committed = JSON.parse(
      await readFile(new URL('../../packages/client/openapi.json', import.meta.url), 'utf8'),
    );

    assert.deepEqual({ ...document, servers: [] }, { ...committed, servers: [] });
  });

  it('has the routes under /api/v1, with an API key as the only credential', () => {
    const credentials = operationsOf(document).map(([, operation]) => Reflect.get(operation, 'security'));

    assert.deepEqual(
      Object.keys(document.paths).filter((path) => !path.startsWith('/api/v1/')),
      [],
    );
    assert.deepEqual(new Set(credentials.map((each) => JSON.stringify(each))), new Set(['[{"apiKey":[]}]']));
    assert.deepEqual(Object.keys(document.components.securitySchemes), ['apiKey']);
  });

  it('each document declares the reasons of its credentials only', () => {
    const refused = (from: OpenApi) =>
      operationsOf(from).find(([, { operationId }]) => operationId === 'getQuote')?.[1].responses['401'];

    assert.deepEqual(Object.keys(Reflect.get(refused(document) ?? {}, 'x-reasons')), [
      'api_key_required',
      'api_key_invalid',
    ]);
    assert.deepEqual(Object.keys(Reflect.get(refused(sessions) ?? {}, 'x-reasons')), [
      'credentials_missing',
      'session_invalid',
      'api_key_invalid',
    ]);
  });

  it('every error status has an example, except where no call can be refused so', () => {
    const missing = operationsOf(document).flatMap(([, { operationId, responses }]) =>
      Object.entries(responses)
        .filter(([status, { content }]) => Number(status) >= 400 && !JSON.stringify(content).includes('"examples"'))
        .map(([status]) => `${operationId} ${status}`),
    );

    assert.deepEqual(
      missing.map((each) => each.split(' ')[1]).filter((status) => status !== '404'),
      [],
    );
  });

  it('/api/openapi.json has the same operations under /api, and those of sessions and the client’s page', () => {
    const integrations = new Map(idsOf(document).map(([id, name]) => [id, name.replace('/api/v1/', '/api/')]));

    const others = idsOf(sessions).filter(([id, name]) => integrations.get(id) !== name);

    assert.equal(integrations.size + others.length, idsOf(sessions).length);
    assert.deepEqual(
      others.map(([, name]) => name.split('/')[2]).filter((resource) => resource !== 'auth' && resource !== 'portal'),
      [],
    );
  });

  it('every path of it is a route', async () => {
    const paths = Object.keys(document.paths);

    const statuses = await Promise.all(
      paths.map(async (path) => (await app.request('OPTIONS', path.replace(/\{\w+\}/g, 'c0'))).status),
    );

    assert.deepEqual(
      paths.filter((_path, i) => statuses[i] !== 200),
      [],
    );
  });

  it('texts name operations, not paths, which differ between the documents', () => {
    const { info, ...rest } = sessions;

    assert.deepEqual(
      textsIn(rest).filter((text) => text.includes('/api/')),
      [],
    );
    assert.ok(info.description.includes('`/api/v1/openapi.json`'));
  });

  it('the introduction covers authentication, errors, pagination and idempotency, in that order', () => {
    for (const { info } of [document, sessions]) {
      assert.deepEqual(info.description.match(/^## .*$/gm), [
        '## Authentication',
        '## Errors',
        '## Pagination',
        '## Idempotency',
      ]);
    }
  });

  it('operations named in the introduction exist', () => {
    const ids = new Set(idsOf(sessions).map(([id]) => id));
    const named = [document, sessions].flatMap(({ info }) => info.description.match(/(?<=`)create\w+(?=`)/g) ?? []);

    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((id) => !ids.has(id)),
      [],
    );
  });

  it('each tag has an English name, a Spanish one for people and a description', () => {
    assert.deepEqual(
      sessions.tags.map(({ name, 'x-displayName': shown }) => `${name}: ${shown}`),
      [
        'Authentication: Acceso',
        'API keys: Claves de API',
        'Collaborators: Colaboradores',
        'Clients: Clientes',
        'Products: Productos',
        'Imports: Importaciones',
        'Quotes: Cotizaciones',
        'Pipeline: Embudo',
        'Dashboard: Tablero',
        'Audit log: Bitácora',
        'Business: Negocio',
        'Notifications: Notificaciones',
        'Reminders: Recordatorios',
        'Labels: Etiquetas',
        'Templates: Plantillas',
        'Automations: Automatizaciones',
        'Webhooks: Webhooks',
        'Connector: Conector',
        'Client portal: Portal del cliente',
      ],
    );
    assert.ok(sessions.tags.every(({ description }) => description.length > 20));
  });

  it('every object and every enumeration is a component', () => {
    const inline = schemasIn(sessions)
      .filter(({ schema }) => 'properties' in schema || 'enum' in schema)
      .map(({ place }) => place)
      .filter((place) => !/^#\/components\/schemas\/\w+$/.test(place));

    assert.deepEqual(inline, []);
  });

  it('a name with two shapes fails', () => {
    const components = new Components();
    components.add('Quote', { type: 'object', properties: { total: { type: 'string' } } });

    assert.deepEqual(components.add('Quote', { properties: { total: { type: 'string' } }, type: 'object' }), {
      $ref: '#/components/schemas/Quote',
    });
    assert.throws(() => components.add('Quote', { type: 'object', properties: { total: { type: 'number' } } }), {
      message: 'two schemas with different shapes are named Quote',
    });
  });
});

interface Place {
  readonly place: string;
  readonly schema: object;
}

/** Keywords whose values are no schemas. */
const VALUES = ['example', 'examples', 'default', 'const', 'info'];

/** Every object in the document that may be a schema, with its place. */
function schemasIn(value: unknown, place = '#'): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.entries(value)
    .filter(([key]) => !VALUES.includes(key))
    .flatMap(([key, member]) => schemasIn(member, `${place}/${key}`));
  return Array.isArray(value) || place.endsWith('/properties') ? nested : [{ place, schema: value }, ...nested];
}

/** The descriptions and summaries at any depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    typeof member === 'string' && (key === 'description' || key === 'summary') ? [member] : textsIn(member),
  );
}
