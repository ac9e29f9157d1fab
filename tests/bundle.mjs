import path from 'node:path';
import { build } from 'esbuild';
import { ownAddress } from '../dev/own-address.mjs';

const ROOT = path.dirname(import.meta.dirname);

/**
 * Compiles test files with all modules of this repository that they load into `outdir`. Loading these through tsx costs a
 * test process a second of CPU. Packages stay where they are. Plain JavaScript, because Mocha preloads it. `built` is
 * the compiled product, whose threads and child processes are compiled too; without it they run from source.
 */
export async function bundleTests(files, { outdir, built }) {
  await build({
    absWorkingDir: ROOT,
    entryPoints: files,
    outdir,
    outbase: ROOT,
    bundle: true,
    // A module that two test files load is loaded once.
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    plugins: [ownAddress((file) => (built === undefined ? file : addressOf(file, built)))],
    logLevel: 'warning',
  });
}

/** A test's address is that of its source, a product module's that of its compiled form. */
function addressOf(file, built) {
  const inRepository = path.relative(ROOT, file);
  const isProduct = !['tests', 'packages', 'bench'].includes(inRepository.split(path.sep)[0]);
  return isProduct ? path.resolve(built, inRepository.replace(/\.ts$/, '.js')) : file;
}
