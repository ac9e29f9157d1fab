import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { pythonPackages } from './python-packages.ts';
import { run } from './run-program.ts';
import { installed, ROOT } from './tools.ts';

needs('storage');

const GENERATORS = fileURLToPath(new URL('generators', import.meta.url));
const DOCUMENT = join(ROOT, 'packages/client/openapi.json');

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly operationId: string } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Names that callers write. A generator that had to invent names would lack some of them. */
const CORE = [
  'Client',
  'ClientInput',
  'ClientPage',
  'ClientUpdate',
  'CreatedQuote',
  'Error',
  'NumericQuote',
  'NumericQuoteItem',
  'Product',
  'Quote',
  'QuoteAcceptedEvent',
  'QuoteInput',
  'QuoteItem',
  'QuoteItemInput',
  'QuotePage',
  'QuoteRevisionInput',
  'QuoteStatus',
  'QuoteSummary',
  'Webhook',
];

describe('the OpenAPI document for integrations', () => {
  const { paths, webhooks, components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document;
  const models = Object.keys(components.schemas).toSorted();
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    .toSorted();
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quoting-generators-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('names the models that callers write', () => {
    assert.deepEqual(
      CORE.filter((name) => !models.includes(name)),
      [],
    );
    assert.ok(models.length > 200, `${models.length} models`);
  });

  it('openapi-typescript makes one type for each component, and the committed schema.d.ts', async () => {
    const target = join(folder, 'schema.d.ts');
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'packages/client/package.json'), 'utf8')) as {
      scripts: { generate: string };
    };
    const [, options = ''] = /openapi\.json (.*) --output schema\.d\.ts$/.exec(scripts.generate) ?? [];

    await run(join(ROOT, 'packages/client/node_modules/.bin/openapi-typescript'), [
      DOCUMENT,
      ...options.split(' '),
      '--output',
      target,
    ]);

    const types = readFileSync(target, 'utf8');
    assert.equal(types, readFileSync(join(ROOT, 'packages/client/schema.d.ts'), 'utf8'));
    const [, schemas = ''] = /\n {4}schemas: \{\n([\s\S]*?)\n {4}\};\n/.exec(types) ?? [];
    assert.deepEqual([...schemas.matchAll(/^ {8}(\w+): /gm)].map(([, name = '']) => name).toSorted(), models);
    const [, functions = ''] = /\nexport interface operations \{\n([\s\S]*?)\n\}\n/.exec(types) ?? [];
    assert.deepEqual(
      [...functions.matchAll(/^ {4}(\w+): \{/gm)].map(([, name = '']) => name).toSorted(),
      [...operations, ...Object.values(webhooks).map(({ post }) => post.operationId)].toSorted(),
    );
  });

  it('@hey-api/openapi-ts makes one type for each component and one function for each operation', async () => {
    const tools = await installed('generators', GENERATORS);

    await run(join(tools, 'node_modules/.bin/openapi-ts'), ['-i', DOCUMENT, '-o', folder, '--no-log-file']);

    const types = exportsOf(readFileSync(join(folder, 'types.gen.ts'), 'utf8'), 'type');
    // Parameters and results of operations, and of the calls to webhooks.
    const ofOperation = /^\w+(?:Data|Errors?|Responses?|WebhookPayload|WebhookRequest)$/;
    const made = types.filter((name) => !models.includes(name) && !ofOperation.test(name));
    assert.deepEqual(made.toSorted(), ['ClientOptions', 'IdempotencyKey', 'IfMatch', 'IfNoneMatch', 'Webhooks']);
    assert.deepEqual(
      models.filter((name) => !types.includes(name)),
      [],
    );
    assert.deepEqual(exportsOf(readFileSync(join(folder, 'sdk.gen.ts'), 'utf8'), 'const').toSorted(), operations);
  });

  describe('openapi-python-client', () => {
    let packages: string;
    before(async function () {
      this.timeout(240_000);
      packages = await pythonPackages('openapi-python-client', join(GENERATORS, 'requirements.txt'));
      const generator = join(packages, 'bin/openapi-python-client');
      const config = join(GENERATORS, 'python.yaml');
      const target = join(folder, 'quoting');
      const { stdout, stderr } = await run(
        'python3',
        [generator, 'generate', '--path', DOCUMENT, '--output-path', target, '--meta', 'none', '--config', config],
        { env: { PYTHONPATH: packages } },
      );
      assert.doesNotMatch(stdout + stderr, /warning/i);
    });

    it('makes one model for each component that is no union, and one module for each operation', () => {
      const names = [
        ...readFileSync(join(folder, 'quoting/models/__init__.py'), 'utf8').matchAll(/^ {4}"(\w+)",$/gm),
      ].map(([, name = '']) => name);
      const modules = readdirSync(join(folder, 'quoting/api'), { recursive: true, encoding: 'utf8' })
        .flatMap((path) => /\/(\w+)\.py$/.exec(path)?.[1] ?? [])
        .filter((name) => name !== '__init__');

      const unions = models.filter((name) => 'oneOf' in (components.schemas[name] ?? {}));
      assert.deepEqual(unions, ['AutomationAction', 'AutomationActionInput', 'WebhookEvent']);
      assert.deepEqual(
        names.toSorted(),
        models.filter((name) => !unions.includes(name)),
      );
      assert.deepEqual(
        modules.toSorted(),
        operations.map((id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).toSorted(),
      );
    });

    it('makes a client that creates, repeats, reads and downloads a quote, and gets a refusal', async () => {
      const app = await service();
      const { as } = await build.member(await build.business(), { role: 'OWNER' });
      const key = as['Authorization']?.replace('Bearer ', '') ?? '';

      const { stdout } = await run('python3', [join(GENERATORS, 'scenario.py')], {
        env: { PYTHONPATH: `${packages}:${folder}`, QUOTING_URL: app.url, QUOTING_KEY: key },
      });

      assert.deepEqual(JSON.parse(stdout), {
        created: 8586.32,
        read: '8586.32',
        status: 'GENERATED',
        line: 'Silla ejecutiva',
        repeated: true,
        clients: 1,
        pdf: '%PDF-',
        refusal: 'not_found',
      });
    });
  });
});

/** The names of a generated module's exported types or constants. */
const exportsOf = (module: string, kind: 'type' | 'const'): readonly string[] =>
  [...module.matchAll(new RegExp(`^export ${kind} (\\w+)`, 'gm'))].map(([, name = '']) => name);
