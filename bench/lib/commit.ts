import { execFileSync, type StdioOptions } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../dev/problem.ts';

/** Commits of this repository, and copies of them that can be built. */

/** The repository's root: the working tree. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Without the output of a program, but for its errors. */
export const QUIET: StdioOptions = ['ignore', 'ignore', 'inherit'];

/** The full hash of a commit, or a problem that names what was given. */
export function resolveCommit(commit: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`).trim();
  } catch {
    throw new Problem(`no commit ${commit} in this repository`);
  }
}

/** Whether the working tree has the files of a commit. */
export const isUnchanged = (commit: string): boolean => git('diff', '--name-only', commit) === '';

/**
 * Copies a commit into that folder and returns the folder. Packages are shared with this repository if the lock file is
 * the same.
 */
export function checkOut(commit: string, folder: string): string {
  mkdirSync(folder);
  execFileSync('tar', ['-x', '-C', folder], { input: gitBytes('archive', commit) });
  const lock = 'package-lock.json';
  if (readFileSync(path.join(folder, lock)).equals(readFileSync(path.join(ROOT, lock)))) {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  } else {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder, stdio: QUIET });
  }
  return folder;
}

const git = (...args: readonly string[]): string => gitBytes(...args).toString();
const gitBytes = (...args: readonly string[]): Buffer =>
  execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });
