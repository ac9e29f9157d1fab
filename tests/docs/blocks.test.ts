import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { apiRoutes } from '../../api/app.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { problemOfBody } from '../api/event-bodies.ts';
import { devService, type Service } from '../api/service.ts';
import { documents, isGuideProgram, isRun, startsScripts } from './documents.ts';

const blocks = documents().flatMap((each) => each.blocks);
const inLanguage = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language));

/** Those that tests/system/launcher.test.ts runs, against the stack of npm start. */
const BY_THE_LAUNCHER = ['README.md'];

/**
 * Shell blocks that are not run here, by their beginning, and the test that runs the same. Blocks that only start an
 * npm script are not listed: links.test.ts checks the scripts.
 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  pg_dump: 'tests/system/backup.test.ts',
  'dropdb quoting && createdb': 'tests/system/backup.test.ts',
  pg_restore: 'tests/system/backup.test.ts',
  'npm run quoting -- secrets make': 'tests/dev/compose.test.ts: containers cannot run everywhere the tests do',
};

describe('code blocks of the documents', () => {
  let app: Service;

  before(async () => {
    app = await devService();
  });

  it('shell blocks are run, by guides.test.ts, the launcher’s test or a test that is named here', () => {
    const left = inLanguage('sh').filter(
      (block) =>
        !isRun(block) &&
        !isGuideProgram(block) &&
        !startsScripts(block) &&
        !Object.keys(ELSEWHERE).some((begin) => block.text.startsWith(begin)),
    );

    const sessions = new Set(
      inLanguage('sh')
        .filter(isRun)
        .map((block) => block.document),
    );
    assert.deepEqual(
      left.map(({ document: path, line, text }) => `${path}:${line} ${text}`),
      [],
    );
    assert.deepEqual([...sessions].toSorted(), BY_THE_LAUNCHER);
  });

  it('JSON blocks are valid, and those of a request or a response match the OpenAPI document', () => {
    // The document's own type says no more than "object".
    const served = openApiDocument(apiRoutes(app.deps), app.deps.config.PUBLIC_URL) as {
      paths: Record<string, Record<string, Operation>>;
      components: object;
    };
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    const json = inLanguage('json').map((block) => ({ block, value: JSON.parse(block.text) as unknown }));

    const wrong = json.flatMap(({ block, value }) => {
      const [side = '', method = '', path = '', status = ''] = block.info.split(' ');
      if (side === '') return [];
      if (side === 'event') return problemOfBody(method, block.text) ?? [];
      // The guides name the paths of integrators; the document has each once.
      const operation = served.paths[path.replace(/^\/api\/v1\//, '/api/')]?.[method.toLowerCase()];
      const content = side === 'body' ? operation?.requestBody?.content : operation?.responses[status]?.content;
      const schema = content?.['application/json']?.schema;
      assert.ok(schema, `${block.document}:${block.line} is of no operation: ${block.info}`);
      const valid = ajv.compile({ ...schema, components: served.components });
      return valid(value) ? [] : [`${block.document}:${block.line} ${ajv.errorsText(valid.errors)}`];
    });

    assert.ok(json.length > 2);
    assert.deepEqual(wrong, []);
  });
});

interface Operation {
  readonly requestBody?: { readonly content: Record<string, { schema: object }> };
  readonly responses: Record<string, { readonly content: Record<string, { schema: object }> }>;
}
