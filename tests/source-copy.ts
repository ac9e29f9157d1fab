import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** A temporary folder with a copy of the source that a test may change. */
export function copySource(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  for (const file of execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)) {
    // A file may be deleted without the deletion being committed.
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file));
  }
  // Installed packages and downloaded binaries are linked; nothing here writes to them.
  for (const shared of ['node_modules', '.tools', 'packages/client/node_modules']) {
    if (existsSync(join(ROOT, shared))) symlinkSync(join(ROOT, shared), join(folder, shared));
  }
  return folder;
}
