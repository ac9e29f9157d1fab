import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm test`: every suite, the quick ones first, each in a process of its own. Names given on the command line choose
 * suites: `npm test -- domain api`. The last line is the sum: "N passed, N failed".
 */
const SUITES = ['domain', 'adapters', 'workflows', 'db', 'activities', 'api', 'dev', 'journey'] as const;

const chosen = process.argv.slice(2);
const suites = chosen.length > 0 ? SUITES.filter((suite) => chosen.includes(suite)) : SUITES;
if (suites.length < chosen.length) throw new Error(`the suites are: ${SUITES.join(', ')}`);

let passed = 0;
let failed = 0;
for (const suite of suites) {
  const startedAt = Date.now();
  console.log(`\n── ${suite} ${'─'.repeat(60 - suite.length)}`);
  const result = await run(suite);
  passed += result.passed;
  failed += result.failed;
  console.log(`   ${suite}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Runs one suite and reads its closing line. A suite that ends without one, or skips a test, has failed. */
async function run(suite: string): Promise<{ passed: number; failed: number }> {
  const child = spawn('npx', ['mocha', `tests/${suite}/**/*.test.ts`], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  const [code]: unknown[] = await once(child, 'close');
  const [, passes, failures, skipped] = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output) ?? [];
  if (passes === undefined) return { passed: 0, failed: 1 };
  const unexplained = code !== 0 && Number(failures) === 0 ? 1 : 0;
  return { passed: Number(passes), failed: Number(failures) + Number(skipped ?? 0) + unexplained };
}
