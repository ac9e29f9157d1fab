import { readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ownAddress } from '../dev/own-address.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * Compiles test files, and the processes that tests start from `tests/`, with all modules of this repository that they
 * load, into `outdir`. Loading these through tsx costs a test process two seconds of CPU. Packages stay where they are.
 * `built` is the compiled product: threads and processes that it starts are compiled, too.
 */
export async function bundleTests(files: readonly string[], { outdir, built }: { outdir: string; built: string }) {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...files, ...(await ownProcesses())],
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
    plugins: [ownAddress((file) => addressOf(file, built))],
    logLevel: 'warning',
  });
}

/** Entry points of processes that die at a chosen point. */
async function ownProcesses(): Promise<readonly string[]> {
  const files = await readdir(join(ROOT, 'tests'), { recursive: true });
  return files.filter((file) => /\/dying-[^/]+\.ts$/.test(file)).map((file) => join('tests', file));
}

/** A test's address is that of its source, a product module's that of its compiled form. */
function addressOf(file: string, built: string): string {
  const inRepository = relative(ROOT, file);
  const isProduct = !['tests', 'packages', 'bench'].includes(inRepository.split(sep)[0] ?? '');
  return isProduct ? resolve(built, inRepository.replace(/\.ts$/, '.js')) : file;
}
