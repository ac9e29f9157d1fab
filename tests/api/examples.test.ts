import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { apiRoutes } from '../../api/app.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { type RecordedError, recordedExamples } from '../../api/openapi/examples.ts';
import { errorResponses } from '../../api/openapi/refusals.ts';
import type { Route } from '../../api/route.ts';
import { EVENT_BODIES } from '../../api/webhooks/event-schemas.ts';
import { type OpenApi } from './conformance.ts';
import { problemOfBody } from './event-bodies.ts';
import { amountProblems } from './example-amounts.ts';
import { service } from './service.ts';

/** What `npm run openapi:examples` recorded. tests/system/examples.test.ts proves that it is current. */

/** Responses without an example, because they are files. */
const FILES = [
  'exportQuotesXlsx',
  'downloadQuotePdf',
  'downloadQuoteAttachment',
  'downloadPortalPdf',
  'downloadLogo',
  'downloadPortalAttachment',
];

/** No request that the story can make is refused so: the business of a valid credential exists. */
const WITHOUT_ERROR = ['deleteLogo', 'getSettings', 'listTaxes', 'updateSettings', 'uploadLogo'].map(
  (id) => `${id} 404`,
);

/** Words of placeholders, and ids that no record has. */
const PLACEHOLDER =
  /^(?:string|texto)$|\b(?:foo|bar|baz|lorem|ipsum|xxx+|todo|tbd|john doe|asdf|placeholder)\b|…|\bc0{8,}|\b0{8}-0{4}|@example\.test/i;

const { operations, events, errors } = recordedExamples();
const all = [...operations];

interface Content {
  readonly content?: Readonly<
    Record<
      string,
      {
        readonly schema?: object;
        readonly example?: unknown;
        readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
      }
    >
  >;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

describe('Examples of the OpenAPI document', () => {
  let routes: readonly Route[];
  let document: OpenApi;
  let documented: readonly (readonly [place: string, operation: Operation])[];
  let ajv: Ajv2020;
  before(async () => {
    routes = apiRoutes((await service()).deps);
    // The document has the type object; these tests read the parts that OpenApi declares.
    document = openApiDocument(routes, 'https://cotizaciones.example.com') as OpenApi;
    documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`/paths/${escaped(path)}/${method}`, operation as Operation] as const,
      ),
    );
    ajv = new Ajv2020({ strict: false, allErrors: true });
    // CommonJS: under nodenext the plugin is the default of its namespace.
    formats.default(ajv);
    // The service's own formats, of which the document says no more than their names.
    for (const name of ['country', 'time-zone']) ajv.addFormat(name, true);
    ajv.addSchema(document, 'openapi', undefined, false);
  });

  const escaped = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

  it('every operation has one for its request and for each success, except files', () => {
    const missing = routes.flatMap(({ operationId, body, upload, responses }) => {
      const own = operations.get(operationId);
      const shown = Object.keys(responses).filter((status) => (own?.responses[status] ?? null) === null);
      return [
        ...(body && !upload && own?.request === undefined ? [`${operationId} request`] : []),
        ...shown.map((status) => `${operationId} ${status}`),
      ];
    });

    assert.deepEqual(missing.sort(), FILES.map((operationId) => `${operationId} 200`).sort());
  });

  it('every error status of every operation has one', () => {
    const missing = documented.flatMap(([, { operationId, responses }]) =>
      Object.entries(responses)
        .filter(([status, { content }]) => Number(status) >= 400 && !content?.['application/json']?.examples)
        .map(([status]) => `${operationId} ${status}`),
    );

    assert.deepEqual(missing.sort(), WITHOUT_ERROR);
  });

  it('an error of a value names a member of its operation', () => {
    const foreign = routes.flatMap((route) => {
      const { operationId, body, query, params, upload } = route;
      const members = new Set([
        upload?.field,
        // Each is an object.
        ...[body, query, params].flatMap((schema) => Object.keys(Object(Reflect.get(schema ?? {}, 'properties')))),
      ]);
      const { content } = (errorResponses(route)['400'] ?? {}) as Content;
      return Object.values(content?.['application/json']?.examples ?? {})
        .map(({ value }) => value as RecordedError)
        .filter(({ reason }) => reason === 'invalid_input')
        .flatMap(({ details = [] }) => details.map(({ path }) => path.split('.')[0]))
        .filter((name) => !members.has(name))
        .map((name) => `${operationId} ${name}`);
    });

    assert.deepEqual(foreign, []);
  });

  it('belong to operations and events that exist', () => {
    const ids = new Set(routes.map(({ operationId }) => operationId));

    assert.deepEqual(all.map(([id]) => id).filter((id) => !ids.has(id)), []); // prettier-ignore
    assert.deepEqual(Object.keys(events).sort(), [...EVENT_BODIES.map(({ event }) => event), 'webhook.test'].sort());
  });

  it('match their schemas; after a change run `npm run openapi:examples`', () => {
    const problems: string[] = [];
    const check = (place: string, value: unknown): void => {
      const valid = ajv.compile({ $ref: `openapi#${place}` });
      if (!valid(value)) problems.push(`${place}: ${ajv.errorsText(valid.errors)}`);
    };
    for (const [place, { requestBody, responses }] of documented) {
      for (const [type, { example }] of Object.entries(requestBody?.content ?? {}))
        if (example !== undefined) check(`${place}/requestBody/content/${escaped(type)}/schema`, example);
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const [type, { example }] of Object.entries(content))
          if (example !== undefined) check(`${place}/responses/${status}/content/${escaped(type)}/schema`, example);
    }
    for (const body of [...errors.values()].flat()) check('/components/schemas/Error', body);
    for (const { event } of EVENT_BODIES) {
      const problem = problemOfBody(event, JSON.stringify(events[event]));
      if (problem !== undefined) problems.push(problem);
    }

    assert.deepEqual(problems, []);
  });

  it('have consistent amounts, by exact fractions', () => {
    const checked = [...all, ...Object.entries(events)].map(([name, value]) => amountProblems(value, name));

    assert.deepEqual(checked.flatMap(({ problems }) => problems), []); // prettier-ignore
    const count = checked.reduce((sum, { quotes }) => sum + quotes, 0);
    assert.ok(count >= 9, `${count} quotes with lines`);
  });

  it('contain no placeholder text', () => {
    const texts = [...all, ...Object.entries(events)].flatMap(([name, value]) => textsIn(value, name));

    assert.deepEqual(texts.filter(([, text]) => PLACEHOLDER.test(text)), []); // prettier-ignore
    assert.ok(texts.length > 2_000, `${texts.length} texts`);
  });

  it('the check detects placeholder text and a wrong total', () => {
    const quote = operations.get('getQuote')?.responses['200'] as { readonly total: string };

    assert.ok(['string', 'texto', 'Foo', 'c000000000000000000000000', '…'].every((text) => PLACEHOLDER.test(text)));
    assert.equal(amountProblems({ ...quote, total: '1.00' }, 'quote').problems.length, 2);
  });

  it('are complete in the document: no other example is made up', () => {
    const values = all.flatMap(([, { request, responses, errors: refused }]) => [
      request,
      ...Object.values(responses),
      ...Object.values(refused).flat(),
    ]);
    const recorded = new Set(values.map((value) => JSON.stringify(value)));
    const shown = documented.flatMap(([, { operationId, requestBody, responses }]) =>
      [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}).flatMap(({ example, examples = {} }) =>
          [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].map(
            (value) => [operationId, JSON.stringify(value)] as const,
          ),
        ),
      ),
    );

    assert.deepEqual(shown.filter(([, value]) => !recorded.has(value)), []); // prettier-ignore
    assert.ok(shown.length > 400, `${shown.length} examples`);
  });
});

/** All texts in a value, with their paths. */
function textsIn(value: unknown, path: string): (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, `${path}/${name}`));
}
