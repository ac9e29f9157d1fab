import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A separate disk below a folder, small enough to be filled. */
export interface SmallDisk extends Disposable {
  /** Fills all free space. */
  fill(): void;
  /** Frees it. */
  free(): void;
}

/** Why this machine cannot have one; undefined when it can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux can mount a small disk';
  if (process.getuid?.() !== 0) return 'only root may mount a small disk';
  const folder = join('/tmp', `quoting-mount-${process.pid}`);
  try {
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' });
    execFileSync('umount', [folder], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `this machine does not let us mount: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Moves the content of the folder to a small disk that is mounted in its place. No process may use it meanwhile. */
export function moveToSmallDisk(folder: string, sizeMb: number): SmallDisk {
  const { uid, gid } = statSync(folder);
  const before = `${folder}.before`;
  renameSync(folder, before);
  mkdirSync(folder, { mode: 0o700 });
  const options = `size=${sizeMb}m,mode=0700,uid=${uid},gid=${gid}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  execFileSync('cp', ['-a', `${before}/.`, folder]);
  rmSync(before, { recursive: true });
  const ballast = join(folder, 'ballast');
  return {
    fill() {
      const file = openSync(ballast, 'a');
      try {
        // Smaller and smaller pieces, so that no space is left.
        for (const bytes of [1 << 20, 1 << 12]) while (fits(file, bytes));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]: () => execFileSync('umount', ['--lazy', folder]),
  };
}

function fits(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes, 1)) === bytes;
  } catch {
    return false;
  }
}
