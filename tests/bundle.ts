import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

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
    plugins: [ownAddress(built)],
    logLevel: 'warning',
  });
}

/** Entry points of processes: those that die at a chosen point, and one that draws PDFs. */
async function ownProcesses(): Promise<readonly string[]> {
  const files = await readdir(join(ROOT, 'tests'), { recursive: true });
  return files.filter((file) => /\/(dying-[^/]+|pdf-digests)\.ts$/.test(file)).map((file) => join('tests', file));
}

/** Modules find files from their own address: a test's is that of its source, a product module's its compiled form. */
const ownAddress = (built: string): Plugin => ({
  name: 'own-address',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const file = relative(ROOT, path);
      const isTest = file.startsWith('tests/') || file.startsWith('packages/') || file.startsWith('bench/');
      const address = isTest ? path : resolve(built, file.replace(/\.ts$/, '.js'));
      const source = await readFile(path, 'utf8');
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(address).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(address)))
        .replaceAll('import.meta.filename', JSON.stringify(address));
      return { contents, loader: 'ts' };
    });
  },
});
