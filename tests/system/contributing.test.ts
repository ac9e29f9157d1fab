import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type * as App from '../../api/app.ts';
import type * as Documents from '../../api/openapi/document.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import { needs, testStack } from '../stack.ts';
import { follow, type Followed, followContributing } from './followed.ts';
import { serving } from './in-process.ts';

needs('temporal', 'storage', 'inbox');

/** Every block of CONTRIBUTING.md is followed in a copy of the source, which is compiled once, with types. */
describe('CONTRIBUTING.md', () => {
  let copy: Followed;
  let compiler: SpawnSyncReturns<string>;
  let worker: OwnProcess | undefined;

  before(() => {
    copy = followContributing();
    const settings = {
      extends: './tsconfig.json',
      compilerOptions: { outDir: 'dist', sourceMap: false },
      include: [
        'domain',
        'db',
        'adapters',
        'workflows',
        'activities',
        'worker',
        'ops',
        'api',
        'portal',
        'console',
        ...copy.files,
      ],
    };
    writeFileSync(join(copy.folder, 'tsconfig.followed.json'), JSON.stringify(settings));
    const args = ['tsc', '-p', 'tsconfig.followed.json'];
    compiler = spawnSync('npx', args, { cwd: copy.folder, encoding: 'utf8' });
    // The code reads them beside itself.
    for (const name of ['docs', 'portal/assets', 'console/assets', 'api/openapi/examples'])
      symlinkSync(join(copy.folder, name), join(copy.folder, 'dist', name));
  });
  after(async () => {
    await worker?.stop();
    copy.remove();
  });

  const compiled = (file: string) => join(copy.folder, 'dist', file.replace(/\.ts$/, '.js'));

  it('its code compiles', () => {
    assert.equal(compiler.status, 0, compiler.stdout);
  });

  it('its five steps lead to an endpoint that has types, is documented and enforces its guards', async () => {
    const { deps } = await service();
    // The copies have the types of their originals.
    const { apiRoutes, createApp } = (await import(pathToFileURL(compiled('api/app.ts')).href)) as typeof App;
    const { openApiDocument } = (await import(
      pathToFileURL(compiled('api/openapi/document.ts')).href
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

  it('leads to a workflow that the reconciler starts, that waits for its moment and has its effect once', async () => {
    const { env, temporal } = await testStack();
    const shared = await service();
    const { deps } = shared;
    const business = await build.business();
    const { id, quoteNumber } = await build.sentQuote(business);
    // Later than the worker starts on a busy machine: it must find something to wait for.
    const expiresAt = new Date(Date.now() + 60_000);
    const { slug } = await deps.withTenant(business.tenantId, async (trx) => {
      // The reconciler skips what has just changed.
      await trx('quotes')
        .where({ id })
        .update({ expiresAt, updatedAt: new Date(Date.now() - 3_600_000) });
      return trx('tenants').where({ id: business.tenantId }).first<{ slug: string }>('slug');
    });
    worker = await startOwnProcess(compiled('worker/main.ts'), env, { root: copy.folder });
    const connection = await Connection.connect({ address: temporal.address });
    const { workflow } = new Client({ connection, namespace: temporal.namespace });
    const run = workflow.getHandle(`expired.${slug}.COT-${quoteNumber}`);

    await eventually(() => run.describe());
    const result = await run.result();
    const { events } = await run.fetchHistory();
    await connection.close();

    assert.deepEqual(result, { outcome: 'notified' });
    assert.ok(
      events?.some(({ timerFiredEventAttributes }) => timerFiredEventAttributes),
      'it did not wait',
    );
    const { data } = (await shared.get('/api/notifications', business.owner)).body;
    const titles = data.map(({ title }: { title: string }) => title);
    assert.deepEqual(
      titles.filter((title: string) => title.endsWith('venció sin respuesta')),
      [`COT-${quoteNumber} venció sin respuesta`],
    );
  });

  it('shows a test of the workflow that passes on the time-skipping server', () => {
    const { status, stdout, stderr } = spawnSync('npx', ['mocha', 'tests/workflows/notice-of-expiry.test.ts'], {
      cwd: copy.folder,
      encoding: 'utf8',
    });

    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^1 passed, 0 failed$/m);
  });

  it('its steps can be followed in the tested tree: existing files are not written a second time', () => {
    const read = () => copy.files.map((file) => readFileSync(join(copy.folder, file), 'utf8'));
    const before = read();
    follow(copy.folder);
    assert.deepEqual(read(), before);
  });
});
