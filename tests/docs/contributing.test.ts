import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as App from '../../api/app.ts';
import type * as Documents from '../../api/openapi/document.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { serving } from './in-process.ts';
import { follow, type Followed, followContributing } from './followed.ts';

describe('CONTRIBUTING.md', () => {
  let copy: Followed;

  before(() => {
    copy = followContributing();
  });
  after(() => copy.remove());

  it('the five steps give an endpoint that is typed, documented and guarded', async () => {
    const { deps } = await service();
    // The copies have the same types as their originals.
    const { apiRoutes, createApp } = (await import(pathToFileURL(join(copy.folder, 'api/app.ts')).href)) as typeof App;
    const { openApiDocument } = (await import(
      pathToFileURL(join(copy.folder, 'api/openapi/document.ts')).href
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

  it('applying the blocks twice changes nothing', () => {
    const read = () => copy.files.map((file) => readFileSync(join(copy.folder, file), 'utf8'));
    const before = read();
    follow(copy.folder);
    assert.deepEqual(read(), before);
  });

  it('the shown code compiles', () => {
    const settings = { extends: './tsconfig.json', include: [...copy.files, 'db/*.d.ts'] };
    writeFileSync(join(copy.folder, 'tsconfig.followed.json'), JSON.stringify(settings));

    const { status, stdout } = spawnSync('npx', ['tsc', '--noEmit', '-p', 'tsconfig.followed.json'], {
      cwd: copy.folder,
      encoding: 'utf8',
    });

    assert.equal(status, 0, stdout);
  });
});
