import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePorts } from '../../dev/ports.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { document } from '../docs/documents.ts';
import { eventually } from '../eventually.ts';
import { needs, testWorker } from '../stack.ts';
import { addNodeTypes, type Consumer, consumer } from './packed-client.ts';
import { run } from './run-program.ts';
import { ROOT } from './tools.ts';

needs('temporal', 'storage', 'inbox');

describe('recipes of packages/client/README.md', () => {
  let project: Consumer;
  let env: Record<string, string>;
  const recipe = async (name: string) => {
    const { stdout } = await run(process.execPath, [join(project.folder, `${name}.js`)], { env });
    return stdout;
  };

  before(async () => {
    project = await consumer();
    addNodeTypes(project);
    const programs = document('packages/client/README.md').blocks.filter(({ info }) => info.startsWith('run '));
    for (const { info, text } of programs) project.write(info.replace('run ', ''), text);
    const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, types: ['node'] };
    project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project.folder]);

    const app = await service();
    await testWorker();
    const { as } = await build.member(await build.business(), { role: 'OWNER' });
    env = { QUOTING_URL: app.url, QUOTING_KEY: as['Authorization']?.replace('Bearer ', '') ?? '' };
  });
  after(() => project[Symbol.dispose]());

  it('create a quote, mail it, and list it among those that are sent', async () => {
    const created = await recipe('create');
    const listed = await recipe('list');

    assert.equal(created, 'COT-1: 8586.32 MXN\n');
    assert.equal(listed, 'COT-1 8586.32\n');
  });

  it('edit a record', async () => {
    assert.equal(await recipe('edit'), 'Laura Méndez was called\n');
  });

  it('repeat a request with the same key, with one effect', async () => {
    assert.equal(await recipe('repeat'), 'true\n');
  });

  it('handle a refusal by its reason and message', async () => {
    assert.match(await recipe('refusal'), /^400 invalid_input items: debe tener al menos un elemento$/m);
  });

  it('receive and verify events', async () => {
    const app = await service();
    const { owner } = await build.business();
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}/`;
    const hook = await app.post('/api/webhooks', { url, events: ['quote.status_changed'] }, owner);
    const settings = { WEBHOOK_SECRET: String(hook.body.secret), PORT: String(port) };
    const program = spawn(process.execPath, [join(project.folder, 'receive.js')], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    try {
      const quote = await build.quote(owner);

      // On a busy machine the response may be that the share is pending.
      await app.post(`/api/quotes/${quote.id}/share`, undefined, owner);

      await eventually(() => assert.match(output, /^\w+ COT-1: GENERATED to SENT\n$/));
    } finally {
      program.kill();
      await once(program, 'exit');
    }
  });
});
