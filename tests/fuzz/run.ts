import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runMigrations } from '../../dev/migrations.ts';
import { startBackingServices } from '../../dev/stack.ts';
import { startOwnProcess } from '../own-process.ts';
import { receiver } from '../api/receiver.ts';
import { type Populated, populate } from './populate.ts';

/**
 * `npm run test:fuzz`: schemathesis against the running service with the document that it serves; all checks, all phases. `-- --short` runs fewer examples with a fixed seed, for CI. Expected refusals of valid requests are listed per operation, with the reason, in schemathesis.toml.
 */
const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOOLS = join(ROOT, '.tools', 'schemathesis-4.32.5');
const short = process.argv.includes('--short');
const EXAMPLES = short ? 10 : 50;
const SEED = 20261127;

await installFuzzer();
// Each file of an export is written by a process of its own, which starts three times as fast compiled.
const { stdout: compiled } = await promisify(execFile)(process.execPath, ['dev/compiled.mjs']);
const built = compiled.trim();
const dataDir = await mkdtemp(join(tmpdir(), 'quoting-fuzz-'));
const services = await startBackingServices({ dataDir, profile: 'test' });
const env = { ...services.env, RATE_LIMITS: 'off', SIGNUP_PLAN: 'PRO' };
let failed = 1;
let passed = 0;
try {
  await runMigrations(dataDir, env);
  const [worker, api] = await Promise.all([
    startOwnProcess('worker/main.ts', env, { built }),
    startOwnProcess('api/main.ts', env, { built }),
  ]);
  await using webhooks = await receiver();
  const keys = await populate(services.apiUrl, { receiverUrl: webhooks.url });
  ({ passed, failed } = await fuzz(services.apiUrl, keys));
  await assertStillSignedIn(services.apiUrl, keys);
  await Promise.all([worker.stop(), api.stop()]);
} finally {
  await services.stop();
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Installs the fuzzer with pip, into the ignored tools folder, once. */
async function installFuzzer(): Promise<void> {
  if (existsSync(join(TOOLS, 'bin', 'schemathesis'))) return;
  console.log('installing schemathesis…');
  const requirements = join(HERE, 'requirements.txt');
  await promisify(execFile)('python3', ['-m', 'pip', 'install', '-q', '--target', TOOLS, '-r', requirements]);
}

/** Runs it and counts operations; fails for an operation with a failure, and for an unexpected end. */
async function fuzz(apiUrl: string, keys: Populated): Promise<{ passed: number; failed: number }> {
  const fuzzer = spawn(
    'python3',
    [
      join(TOOLS, 'bin', 'schemathesis'),
      '--config-file',
      join(HERE, 'schemathesis.toml'),
      'run',
      `${apiUrl}/api/openapi.json`,
      '--url',
      apiUrl,
      '--max-examples',
      String(EXAMPLES),
      '--seed',
      String(SEED),
      '--generation-database',
      'none',
      '--no-color',
    ],
    {
      env: {
        ...process.env,
        PYTHONPATH: `${TOOLS}:${HERE}`,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: 'hooks',
        NO_COLOR: '1',
        FUZZ_KEY: keys.key,
        FUZZ_DISPOSABLE_KEY: keys.disposableKey,
        FUZZ_CLIENT_ID: keys.clientId,
        FUZZ_PRODUCT_ID: keys.productId,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  fuzzer.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  const [code]: unknown[] = await once(fuzzer, 'close');
  const tested = Number(/Tested:\s+(\d+)/.exec(output)?.[1] ?? 0);
  const broken = new Set(output.match(/^_+ (?:GET|POST|PUT|PATCH|DELETE) \S+ _+$/gm)).size;
  if (code === 0 && tested > 0) return { passed: tested, failed: 0 };
  return { passed: Math.max(0, tested - broken), failed: Math.max(1, broken) };
}

/** A fuzzer whose credentials were revoked meets only 401s, which would pass. */
async function assertStillSignedIn(apiUrl: string, { key, disposableKey }: Populated): Promise<void> {
  for (const bearer of [key, disposableKey]) {
    const { status } = await fetch(`${apiUrl}/api/auth/session`, { headers: { Authorization: `Bearer ${bearer}` } });
    if (status !== 200) throw new Error(`a key of the run answers ${status}: the fuzzer revoked its own credentials`);
  }
}
