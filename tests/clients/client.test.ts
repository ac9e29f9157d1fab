import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { needs, testWorker } from '../stack.ts';
import { addNodeTypes, type Consumer, consumer } from './packed-client.ts';
import { run } from './run-program.ts';
import { RUNTIME_NAMES, runtimes } from './runtimes.ts';
import { ROOT } from './tools.ts';

needs('temporal', 'storage', 'inbox');

const SCENARIO = readFileSync(fileURLToPath(new URL('scenario.ts', import.meta.url)), 'utf8');

describe('the packed client', () => {
  let project: Consumer;
  before(async () => {
    project = await consumer();
    addNodeTypes(project);
  });
  after(() => project[Symbol.dispose]());

  it('contains compiled modules, their types, the licence and the README, and nothing else', () => {
    const modules = ['client', 'edit', 'pagination', 'refusal', 'retry', 'webhooks'];

    assert.deepEqual(
      project.packed.files.toSorted(),
      [
        'LICENSE',
        'README.md',
        'package.json',
        'dist/schema.d.ts',
        ...modules.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]),
      ].toSorted(),
    );
  });

  for (const compiler of ['node_modules', 'packages/client/node_modules']) {
    const { version } = JSON.parse(readFileSync(join(ROOT, compiler, 'typescript/package.json'), 'utf8')) as {
      version: string;
    };
    it(`has types that TypeScript ${version.split('.')[0]} accepts in strict mode, libraries included`, async () => {
      const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: ['node'] };
      project.write('scenario.ts', SCENARIO);
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['scenario.ts'] }));

      const { stdout } = await run(join(ROOT, compiler, '.bin/tsc'), ['-p', project.folder], { cwd: project.folder });

      assert.equal(stdout, '');
    });
  }

  describe('runs an integration', () => {
    let env: Record<string, string>;
    before(async () => {
      const app = await service();
      await testWorker();
      const { as } = await build.member(await build.business(), { role: 'OWNER' });
      env = { QUOTING_URL: app.url, QUOTING_KEY: as['Authorization']?.replace('Bearer ', '') ?? '' };
    });

    for (const name of RUNTIME_NAMES) {
      it(`on ${name}: shares, verifies events, reads pages, edits, retries without a second effect, is refused`, async () => {
        const [program, ...args] = (await runtimes())[name];
        const { code } = await transform(SCENARIO, { loader: 'ts', format: 'esm', target: 'es2023' });
        const module = project.write('scenario.js', code);

        const { stdout } = await run(program, [...args, module], { cwd: project.folder, env });

        assert.deepEqual(JSON.parse(stdout), {
          total: 8586.32,
          events: ['GENERATED to SENT', 'created 8586.32'],
          forgeriesRefused: true,
          numbers: [4, 3, 2, 1, 0],
          edit: { writes: 2, notes: 'theirs, ours' },
          retry: { calls: 2, total: 1 },
          refusal: [400, 'invalid_transition', true],
        });
      });
    }
  });
});
