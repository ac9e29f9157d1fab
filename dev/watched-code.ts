import fs from 'node:fs';
import path from 'node:path';
import { context } from 'esbuild';
import { ownAddress } from './own-address.mjs';
import { REPOSITORY } from './paths.ts';

/** The source of one process, bundled again after each save: esbuild parses only what changed. */
export interface WatchedCode {
  /** The bundle: its own modules, without packages. */
  readonly file: string;
  /** Writes the bundle. Throws with file and error when the source does not compile. */
  readonly rebuild: () => Promise<void>;
  /** Removes the bundle. */
  readonly close: () => Promise<void>;
}

/** Prepares the bundle of an entry point such as "worker/main.ts". */
export async function watchedCode(entry: string): Promise<WatchedCode> {
  // Below the repository, so that packages are found.
  const cache = path.join(REPOSITORY, '.compiled');
  fs.mkdirSync(cache, { recursive: true });
  const folder = fs.mkdtempSync(path.join(cache, 'watched-'));
  const file = path.join(folder, entry.replace(/\.ts$/, '.js'));
  const bundle = await context({
    absWorkingDir: REPOSITORY,
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    // Threads and child processes run from source, which is always current.
    plugins: [ownAddress((source) => source)],
    logLevel: 'silent',
  });
  return {
    file,
    rebuild: async () => void (await bundle.rebuild()),
    close: async () => {
      await bundle.dispose();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
