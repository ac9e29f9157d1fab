import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const ROOT = new URL('../', import.meta.url);
const extension = import.meta.url.endsWith('.js') ? '.js' : '.ts';

export interface BundleOptions {
  /** Whether runs write spans: with the interceptors for it, which the plain bundle has nothing of. */
  readonly isTraced?: boolean;
}

const sdk = createRequire(import.meta.url);

const TRACING = '@temporalio/interceptors-opentelemetry';
const fileName = ({ isTraced = false }: BundleOptions) => `workflow-bundle${isTraced ? '-traced' : ''}`;

/** Where `npm run build` puts a bundle, beside the compiled code. */
export const builtBundlePath = (options: BundleOptions): string =>
  fileURLToPath(new URL(`${fileName(options)}.js`, ROOT));

/**
 * The file with the workflow code that workers load. `npm run build` puts it beside the compiled code; elsewhere it is
 * bundled when the workflows changed, since bundling takes seconds and most starts change nothing.
 */
export async function workflowBundlePath(options: BundleOptions = {}): Promise<string> {
  const built = builtBundlePath(options);
  if (existsSync(built)) return built;
  const cache = new URL('../../.cache/quoting/', pathToFileURL(sdk.resolve('@temporalio/worker/package.json')));
  const target = fileURLToPath(new URL(`${fileName(options)}-${await sourcesHash()}.js`, cache));
  try {
    await readFile(target);
    return target;
  } catch {
    await mkdir(cache, { recursive: true });
    return writeBundle(target, options);
  }
}

/** Bundles the workflows, which also proves that nothing in them leaves the sandbox, and writes the file. */
export async function writeBundle(target: string, { isTraced = false }: BundleOptions = {}): Promise<string> {
  const entry = new URL(`workflows/index${extension}`, ROOT);
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(entry),
    // Evaluated once and not for each execution, most of which are short. Frozen: they hold constants only.
    preloadModules: [fileURLToPath(entry)],
    ...(isTraced && {
      workflowInterceptorModules: [sdk.resolve(`${TRACING}/lib/workflow-interceptors`)],
    }),
    // Its lists of modules say nothing when all is well.
    logger: new DefaultLogger('WARN'),
  });
  // Two processes may bundle at once; a reader never sees half a file.
  const part = `${target}.${process.pid}.part`;
  await writeFile(part, code);
  await rename(part, target);
  return target;
}

async function sourcesHash(): Promise<string> {
  const hash = createHash('sha256');
  const { version } = sdk('@temporalio/worker/package.json') as { version: string };
  hash.update(version);
  for (const folder of ['domain/', 'workflows/']) {
    const base = new URL(folder, ROOT);
    for (const file of (await readdir(base)).toSorted()) {
      if (file.endsWith(extension)) hash.update(file).update(await readFile(new URL(file, base)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
