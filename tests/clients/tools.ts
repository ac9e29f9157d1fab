import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run-program.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOOLS = join(ROOT, '.tools');

/**
 * Installs the packages of a folder's lock file, without their scripts, below `.tools/`, and returns the new folder. A
 * folder with the same lock file is installed once.
 */
export async function installed(name: string, source: string): Promise<string> {
  const lock = readFileSync(join(source, 'package-lock.json'));
  const folder = join(TOOLS, `${name}-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  console.log(`installing ${name}…`);
  mkdirSync(TOOLS, { recursive: true });
  // An interrupted installation must not pass for a complete one.
  const unfinished = mkdtempSync(join(TOOLS, `${name}.part-`));
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(source, file), join(unfinished, file));
  // Parts of n8n that are not loaded here ask for a newer Node.
  const options = ['--engine-strict=false', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['ci', ...options], { cwd: unfinished });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process may have finished first.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
