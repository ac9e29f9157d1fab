import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run test:chaos`: the long form, whose findings are kept for `docs/reliability.md`. `-- --short` is the form of
 * continuous integration. Other arguments are Mocha's: `-- --grep F5`.
 */
const given = process.argv.slice(2);
const form = given.includes('--short') ? 'short' : 'long';
const child = spawn('npx', ['mocha', 'tests/chaos/**/*.test.ts', ...given.filter((one) => one !== '--short')], {
  stdio: 'inherit',
  env: { ...process.env, CHAOS_FORM: form, ...(form === 'long' && { CHAOS_REPORT: 'docs/reliability.jsonl' }) },
});
const [code]: unknown[] = await once(child, 'close');
process.exitCode = Number(code ?? 1);
