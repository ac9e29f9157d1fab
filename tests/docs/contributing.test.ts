import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as App from '../../api/app.ts';
import type * as Documents from '../../api/openapi/document.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { serving } from './in-process.ts';
import { applyDiff } from '../workflows/documented-change.ts';
import { document, ROOT } from './documents.ts';

const FOLDERS = ['api', 'adapters', 'db', 'domain', 'portal', 'workflows', 'activities', 'docs'];

describe('CONTRIBUTING.md', function whole() {
  this.timeout(120_000);
  let copy: string;

  before(() => {
    // Inside of the repository, so that the packages are found; in a folder that git ignores.
    mkdirSync(join(ROOT, '.data'), { recursive: true });
    copy = mkdtempSync(join(ROOT, '.data/contributing-'));
    for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
    const { blocks } = document('CONTRIBUTING.md');
    for (const { info, text } of blocks.filter(({ language }) => language === 'ts')) {
      const file = join(copy, info.replace(/^file /, ''));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${text}\n`);
    }
    for (const { info, text } of blocks.filter(({ language }) => language === 'diff')) {
      const file = join(copy, info);
      writeFileSync(file, applyDiff(readFileSync(file, 'utf8'), text));
    }
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('leads, by its five steps, to an endpoint that has types, is documented and answers within its guards', async () => {
    const { deps } = await service();
    // The copies have the types of what they are copied from.
    const { apiRoutes, createApp } = (await import(pathToFileURL(join(copy, 'api/app.ts')).href)) as typeof App;
    const { openApiDocument } = (await import(
      pathToFileURL(join(copy, 'api/openapi/document.ts')).href
    )) as typeof Documents;
    const handle = createApp(deps).callback();
    await using app = await serving((req, res) => void handle(req, res));
    const business = await build.business();
    const stranger = await build.business();
    const { client } = await build.quote(business.owner);
    const ask = (headers: Readonly<Record<string, string>>) =>
      fetch(`${app.url}/api/clients/${client.id}/summary`, { headers });

    const answers = await Promise.all([ask(business.owner), ask(stranger.owner), ask({})]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404, 401],
    );
    assert.deepEqual(await answers[0]?.json(), { quotes: 1 });
    const { paths } = openApiDocument(apiRoutes(deps), 'http://x') as { paths: Record<string, object> };
    assert.ok('/api/clients/{id}/summary' in paths);
  });

  it('shows code that the compiler takes', () => {
    const settings = {
      extends: '../../tsconfig.json',
      compilerOptions: { rootDir: '../..' },
      include: ['api/client-summary', 'api/app.ts', 'db/*.d.ts'],
    };
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(settings));

    const { status, stdout } = spawnSync('npx', ['tsc', '--noEmit', '-p', copy], { cwd: ROOT, encoding: 'utf8' });

    assert.equal(status, 0, stdout);
  });
});
