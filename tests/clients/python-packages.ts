import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run-program.ts';
import { ROOT } from './tools.ts';

/**
 * Installs a requirements file with pip below `.tools/`, and returns the folder, for PYTHONPATH. A folder with the same
 * requirements is installed once.
 */
export async function pythonPackages(name: string, requirements: string): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(ROOT, '.tools', `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  console.log(`installing ${name}…`);
  mkdirSync(join(ROOT, '.tools'), { recursive: true });
  // An interrupted installation must not pass for a complete one.
  const unfinished = mkdtempSync(`${folder}.part-`);
  const options = ['--quiet', '--no-deps', '--disable-pip-version-check', '--root-user-action=ignore'];
  await run('python3', ['-m', 'pip', 'install', ...options, '--target', unfinished, '-r', requirements]);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process may have finished first.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
