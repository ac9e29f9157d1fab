import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const ROOT = new URL('../', import.meta.url);
const compiled = import.meta.url.endsWith('.js');

export interface BundleOptions {
  /** Whether runs write spans: with the interceptors for it, which the plain bundle has nothing of. */
  readonly isTraced?: boolean;
}

const TRACING = '@temporalio/interceptors-opentelemetry';
const fileName = ({ isTraced = false }: BundleOptions) => `workflow-bundle${isTraced ? '-traced' : ''}`;

/** Where `npm run build` puts a bundle, beside the compiled code. */
export const builtBundlePath = (options: BundleOptions): string =>
  fileURLToPath(new URL(`${fileName(options)}.js`, ROOT));

/**
 * The file with the workflow code that workers load. Compiled code has it from the build; from TypeScript sources it is
 * bundled when they changed, since bundling takes seconds and most starts change nothing.
 */
export async function workflowBundlePath(options: BundleOptions = {}): Promise<string> {
  if (compiled) return builtBundlePath(options);
  const cache = new URL('node_modules/.cache/quoting/', ROOT);
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
  const entry = new URL(`workflows/index.${compiled ? 'js' : 'ts'}`, ROOT);
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(entry),
    ...(isTraced && {
      workflowInterceptorModules: [createRequire(import.meta.url).resolve(`${TRACING}/lib/workflow-interceptors`)],
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
  const sdk = createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string };
  hash.update(sdk.version);
  for (const folder of ['domain/', 'workflows/']) {
    const base = new URL(folder, ROOT);
    for (const file of (await readdir(base)).toSorted()) {
      if (file.endsWith('.ts')) hash.update(file).update(await readFile(new URL(file, base)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
