import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { apiRoutes } from '../../api/app.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import * as build from '../api/build.ts';
import { devService, type Service } from '../api/service.ts';
import { needs, testWorker } from '../stack.ts';
import { type Block, documents, isRun, ROOT, session } from './documents.ts';

needs('temporal', 'storage', 'inbox');

const blocks = documents().flatMap((each) => each.blocks);
const inLanguage = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language));

/** Documents whose commands this suite runs, each as one session. */
const HERE = ['docs/api-guide.md', 'docs/webhooks.md', 'docs/automations.md', 'docs/connectors.md'];
/** Those that tests/dev/launcher.test.ts runs, against the stack of npm start. */
const BY_THE_LAUNCHER = ['docs/quick-start.md', 'README.md'];

/**
 * Shell blocks that are not run here, by their beginning, and the test that runs the same. Blocks that only start an
 * npm script are not listed: links.test.ts checks the scripts.
 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  pg_dump: 'tests/docs/backup.test.ts',
  'dropdb quoting && createdb': 'tests/docs/backup.test.ts',
  pg_restore: 'tests/docs/backup.test.ts',
  'npm run quoting -- secrets make': 'tests/dev/compose.test.ts: containers cannot run everywhere the tests do',
};
const startsScripts = ({ text }: Block) =>
  text
    .split('\n')
    .every((line) =>
      /^(#.*|(npm (ci|start|test|run|install|version)|git push)\b.*|npm ci && npm start.*|)$/.test(line.trim()),
    );

interface Ended {
  readonly code: number;
  readonly output: string;
}

async function run(command: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn(command, [...args], { cwd: ROOT, env: { ...process.env, ...env } });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}

describe('code blocks of the documents', () => {
  let app: Service;
  let env: Record<string, string>;

  before(async () => {
    app = await devService();
    await testWorker();
    const { as } = await build.member(await build.business(), { role: 'OWNER' });
    env = { QUOTING_URL: app.url, QUOTING_KEY: as['Authorization']?.replace('Bearer ', '') ?? '' };
    await build.quote(as);
  });

  for (const path of HERE) {
    it(`${path}: its commands succeed, one after the other`, async () => {
      const script = session(path);

      const { code, output } = await run('bash', ['-euo', 'pipefail', '-c', script], env);

      assert.match(script, /curl/);
      assert.equal(code, 0, output);
    });
  }

  it('shell blocks are run, by this suite or by a test that is named here', () => {
    const left = inLanguage('sh').filter(
      (block) =>
        !isRun(block) && !startsScripts(block) && !Object.keys(ELSEWHERE).some((begin) => block.text.startsWith(begin)),
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
    assert.deepEqual([...sessions].toSorted(), [...HERE, ...BY_THE_LAUNCHER].toSorted());
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
      const operation = served.paths[path]?.[method.toLowerCase()];
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
