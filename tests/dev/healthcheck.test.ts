import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { freePort } from '../../dev/ports.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import { needs, testStack } from '../stack.ts';
import { eventually } from '../eventually.ts';

needs('temporal', 'storage', 'inbox');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** HEALTHCHECK of the last stage, as the container engine runs it. */
function imageCheck() {
  const [, options = '', words = ''] = /^HEALTHCHECK (.*) CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
  const {
    interval,
    timeout,
    retries,
    'start-period': start_period,
  } = Object.fromEntries([...options.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
  return { command: JSON.parse(words) as string[], interval, timeout, retries: Number(retries), start_period };
}

describe('health check of the image', () => {
  let image: string;
  let tmp: string;
  let running: OwnProcess | undefined;

  before(() => {
    image = mkdtempSync(join(tmpdir(), 'quoting-image-'));
    // What the image has in dist/, compiled by the same compiler with the same settings.
    const dist = execFileSync(process.execPath, ['dev/compiled.mjs'], { cwd: ROOT, encoding: 'utf8' }).trim();
    symlinkSync(dist, join(image, 'dist'));
    cpSync(join(ROOT, 'package.json'), join(image, 'package.json'));
  });
  beforeEach(() => {
    // A container's own folder.
    tmp = mkdtempSync(join(tmpdir(), 'quoting-container-'));
  });
  afterEach(async () => {
    await running?.kill();
    running = undefined;
    rmSync(tmp, { recursive: true });
  });
  after(() => rmSync(image, { recursive: true }));

  /** Exit code of the same command. */
  function check(): number | null {
    const [program = '', ...args] = imageCheck().command;
    return spawnSync(program, args, { cwd: image, env: { ...process.env, HEARTBEAT_DIR: tmp }, timeout: 20_000 })
      .status;
  }

  it('is also that of docker-compose.yml for API and worker; the migrations, which end, have none', () => {
    const { command, ...times } = imageCheck();
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { healthcheck?: object }>;
    };

    const expected = { test: ['CMD', ...command], ...times };
    assert.deepEqual(services['api']?.healthcheck, expected);
    assert.deepEqual(services['worker']?.healthcheck, expected);
    assert.deepEqual(services['migrate']?.healthcheck, { disable: true });
  });

  it('reads the folder that the image sets for the processes, which only they can write', () => {
    assert.match(read('Dockerfile'), /^ENV .*HEARTBEAT_DIR=\/tmp\/[a-z]+$/m);
  });

  it('has nothing to read when no folder is set: the process writes none', async () => {
    const { env } = await testStack();
    running = await startOwnProcess('api/main.ts', { ...env, PORT: String(await freePort()), TMPDIR: tmp });

    // The loader of the source keeps files there too.
    const signs = readdirSync(tmp).filter((name) => name.includes('alive'));
    assert.deepEqual(signs, []);
  });

  it('is well with an API that serves, which follows no link in the place of its sign, and not before, after and without its database', async () => {
    const { env } = await testStack();
    const before = check();
    const port = String(await freePort());
    // Links that somebody put in the place of its sign: it must not write through them.
    const other = join(image, 'other');
    writeFileSync(other, 'as it was');
    symlinkSync(other, join(tmp, 'quoting-api.alive'));
    symlinkSync(other, join(tmp, 'quoting-api.alive.next'));
    running = await startOwnProcess('api/main.ts', { ...env, PORT: port, HEARTBEAT_DIR: tmp });
    await eventually(() => assert.equal(check(), 0));
    assert.match(readFileSync(join(tmp, 'quoting-api.alive'), 'utf8'), /^http.*\/readyz$/);
    assert.equal(readFileSync(other, 'utf8'), 'as it was');
    await running.stop();
    const after = check();
    const unreachable = { ...env, PORT: port, HEARTBEAT_DIR: tmp, DATABASE_URL: 'postgres://x:x@127.0.0.1:1/x' };
    running = await startOwnProcess('api/main.ts', unreachable);

    assert.deepEqual([before, after, check()], [1, 1, 1]);
  });

  it('succeeds while the worker lives; fails when it hangs', async () => {
    const { env } = await testStack();
    running = await startOwnProcess('worker/main.ts', { ...env, HEARTBEAT_DIR: tmp });
    const living = check();
    process.kill(running.pid, 'SIGSTOP');
    // The file's state a minute later.
    const aMinuteAgo = Date.now() / 1000 - 60;
    utimesSync(join(tmp, 'quoting-worker.alive'), aMinuteAgo, aMinuteAgo);

    assert.deepEqual([living, check()], [0, 1]);
  });
});
