import assert from 'node:assert/strict';
import { curlOf } from '../../api/docs/build/reference/curl.ts';
import { type OpenApi, type Operation, operationsOf, type Schema } from '../../api/docs/build/reference/openapi.ts';
import { referenceMarkdown } from '../../api/docs/build/reference/as-markdown.ts';
import { operationSection } from '../../api/docs/build/reference/operation.ts';
import { members } from '../../api/docs/build/reference/schema.ts';

const SCHEMAS: Readonly<Record<string, Schema>> = {
  Quote: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 64 },
      items: { type: 'array', items: { $ref: '#/components/schemas/Item' }, maxItems: 1000 },
      client: { anyOf: [{ $ref: '#/components/schemas/Client' }, { type: 'null' }] },
    },
  },
  Item: { type: 'object', properties: { productName: { type: 'string', description: 'El `nombre` <b>' } } },
  Client: { type: 'object', properties: { quotes: { type: 'array', items: { $ref: '#/components/schemas/Quote' } } } },
  Action: {
    oneOf: [
      { type: 'object', properties: { type: { type: 'string', const: 'send_email' }, subject: { type: 'string' } } },
      { type: 'object', properties: { type: { type: 'string', enum: ['add_label'] }, labelId: { type: 'string' } } },
    ],
  },
};

const DOCUMENT: OpenApi = {
  info: { title: 'Quotes' },
  paths: {
    '/api/quotes/{quoteId}': {
      patch: {
        operationId: 'updateQuote',
        summary: 'Cambia <la> cotización',
        security: [{ session: [] }, { apiKey: [] }],
        parameters: [{ name: 'quoteId', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: {
          content: { 'application/json': { schema: SCHEMAS['Quote'] ?? {}, example: { notes: "L'Oréal" } } },
        },
        responses: {
          200: {
            description: 'La cotización',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Quote' }, example: { id: 'q1' } } },
          },
          429: { 'x-reasons': { rate_limit_reached: 'Otra' } },
          404: {
            'x-reasons': { quote_not_found: 'Una frase' },
          },
        },
      },
    },
    '/api/portal/{token}': { get: { operationId: 'getPortalQuote', security: [], responses: {} } },
  },
  components: { schemas: SCHEMAS },
};
const TAGGED: OpenApi = {
  ...DOCUMENT,
  paths: {
    '/api/quotes/{quoteId}': {
      patch: { ...DOCUMENT.paths['/api/quotes/{quoteId}']?.['patch'], operationId: 'updateQuote', tags: ['Quotes'] },
    },
  },
};
const [update, portal] = operationsOf(DOCUMENT) as [Operation, Operation];
const references = { document: DOCUMENT, explanationOf: (reason: string) => `/docs/guides/errors#of-${reason}` };
const model = (name: string, models: number): string =>
  String(members(DOCUMENT, { $ref: `#/components/schemas/${name}` }, { models }));

describe('reference of the API', () => {
  it('an operation has its id as anchor, the path for keys, and that for sessions', () => {
    const section = String(operationSection(references, update));

    assert.match(section, /<h2 id="updateQuote"/);
    assert.match(section, /PATCH<\/span>\s*<code>\/api\/v1\/quotes\/\{quoteId\}<\/code>/);
    assert.match(section, /with a session at <code>\/api\/quotes\/\{quoteId\}<\/code>/);
    assert.match(String(operationSection(references, portal)), /Public: needs no credentials/);
  });

  it('its texts cannot become markup', () => {
    const section = String(operationSection(references, update));

    assert.match(section, /Cambia &lt;la&gt; cotización/);
    assert.match(model('Item', 0), /El <code>nombre<\/code> &lt;b&gt;/);
  });

  it('its errors are all declared reasons by status, with a link to the explanation and a sentence', () => {
    const section = String(operationSection(references, update));

    assert.match(section, /Errors \(2\)/);
    assert.match(section, /<a href="\/docs\/guides\/errors#of-quote_not_found"><code>quote_not_found<\/code><\/a>/);
    assert.match(section, /404[\s\S]*quote_not_found[\s\S]*Una frase[\s\S]*429[\s\S]*rate_limit_reached/);
  });

  it('as Markdown it has the path, callers, members, examples and reasons of each operation', () => {
    const pages = new Map(referenceMarkdown(TAGGED).map(({ path, text }) => [path, text]));

    assert.deepEqual(
      [...pages.keys()],
      ['reference', 'reference/quotes', 'reference/events', 'reference/models'].map((name) => `/docs/${name}.md`),
    );
    const quotes = pages.get('/docs/reference/quotes.md') ?? '';
    assert.match(quotes, /## Cambia <la> cotización \(`updateQuote`\)\n\n`PATCH \/api\/v1\/quotes\/\{quoteId\}`/);
    assert.match(quotes, /Called with an API key, or with a session at `\/api\/quotes\/\{quoteId\}`/);
    assert.match(quotes, /- `quoteId` \(path, required\): string/);
    assert.match(quotes, /Response 200: La cotización; application\/json, Quote\n\n```json\n\{"id":"q1"\}/);
    assert.match(quotes, /- 404: `quote_not_found`\n- 429: `rate_limit_reached`/);
    const models = pages.get('/docs/reference/models.md') ?? '';
    assert.match(
      models,
      /## Quote\n\n- `id` \(required\): string, minLength 1, maxLength 64\n- `items`: array of Item/,
    );
  });

  it('its call quotes an example for the shell, and takes ids from the environment', () => {
    const command = curlOf(DOCUMENT, update);

    assert.equal(
      command,
      [
        'curl -X PATCH "$QUOTING_URL/api/v1/quotes/$QUOTE_ID" \\',
        '  -H "Authorization: Bearer $QUOTING_API_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        String.raw`  -d '{"notes":"L'\''Oréal"}'`,
      ].join('\n'),
    );
    assert.equal(curlOf(DOCUMENT, portal), 'curl "$QUOTING_URL/api/portal/$TOKEN"');
  });

  it('members show type, limits and whether they are required', () => {
    const list = model('Quote', 0);

    assert.match(list, /<code>id<\/code>\s*<span class="type">string<\/span> <span class="required">required<\/span>/);
    assert.match(list, /1 to 64 characters/);
    assert.match(list, /array of <a href="\/docs\/reference\/models#Item">Item<\/a>/);
    assert.match(list, /<a href="\/docs\/reference\/models#Client">Client<\/a> \| null/);
  });

  it('models are opened in place down to the given level, also when they refer to each other', () => {
    const [links, one] = [model('Quote', 0), model('Quote', 1)];

    assert.doesNotMatch(links, /<details/);
    assert.match(one, /Members of Item/);
    assert.match(one, /Members of Client/);
    assert.doesNotMatch(one, /Members of Quote/);
  });

  it('variants are named by the value that tells them apart', () => {
    const variants = model('Action', 0);

    assert.match(variants, /<summary>type: &quot;send_email&quot;<\/summary>/);
    assert.match(variants, /<summary>type: &quot;add_label&quot;<\/summary>/);
  });
});
