import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { freePort } from '../../dev/ports.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import { testStack } from '../stack.ts';
import { eventually } from '../eventually.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** HEALTHCHECK of the last stage, as the engine runs it. */
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

describe('The health check of the image', function checking() {
  this.timeout(180_000);
  let image: string;
  let tmp: string;
  let running: OwnProcess | undefined;

  before(() => {
    image = mkdtempSync(join(tmpdir(), 'quoting-image-'));
    // What the image has in dist/, as far as the check needs it; compiled as the image compiles it.
    const settings = { extends: join(ROOT, 'tsconfig.build.json'), include: [join(ROOT, 'adapters/health-check.ts')] };
    const compilerOptions = { outDir: join(image, 'dist'), typeRoots: [join(ROOT, 'node_modules/@types')] };
    writeFileSync(join(image, 'tsconfig.json'), JSON.stringify({ ...settings, compilerOptions }));
    cpSync(join(ROOT, 'package.json'), join(image, 'package.json'));
    const { status, stdout } = spawnSync('npx', ['tsc', '-p', image], { cwd: ROOT, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });
  beforeEach(() => {
    // A container's own /tmp.
    tmp = mkdtempSync(join(tmpdir(), 'quoting-container-'));
  });
  afterEach(async () => {
    await running?.kill();
    running = undefined;
    rmSync(tmp, { recursive: true });
  });
  after(() => rmSync(image, { recursive: true }));

  /** Exit code of the very command. */
  function check(): number | null {
    const [program = '', ...args] = imageCheck().command;
    return spawnSync(program, args, { cwd: image, env: { ...process.env, TMPDIR: tmp }, timeout: 20_000 }).status;
  }

  it('is the one of docker-compose.yml for API and worker, and none for the migrations, which end', () => {
    const { command, ...times } = imageCheck();
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { healthcheck?: object }>;
    };

    const expected = { test: ['CMD', ...command], ...times };
    assert.deepEqual(services['api']?.healthcheck, expected);
    assert.deepEqual(services['worker']?.healthcheck, expected);
    assert.deepEqual(services['migrate']?.healthcheck, { disable: true });
  });

  it('is well with an API that serves, and not before it, without its database, and after it', async () => {
    const { env } = await testStack();
    const before = check();
    const port = String(await freePort());
    running = await startOwnProcess('api/main.ts', { ...env, PORT: port, TMPDIR: tmp });
    await eventually(() => assert.equal(check(), 0), 20_000);
    await running.stop();
    const after = check();
    const unreachable = { ...env, PORT: port, TMPDIR: tmp, DATABASE_URL: 'postgres://x:x@127.0.0.1:1/x' };
    running = await startOwnProcess('api/main.ts', unreachable);

    assert.deepEqual([before, after, check()], [1, 1, 1]);
  });

  it('is well with a worker that lives, and not with one that hangs', async () => {
    const { env } = await testStack();
    running = await startOwnProcess('activities/worker.ts', { ...env, TMPDIR: tmp });
    const living = check();
    process.kill(running.pid, 'SIGSTOP');
    // As the file looks a minute later.
    const aMinuteAgo = Date.now() / 1000 - 60;
    utimesSync(join(tmp, 'quoting-worker.alive'), aMinuteAgo, aMinuteAgo);

    assert.deepEqual([living, check()], [0, 1]);
  });
});
