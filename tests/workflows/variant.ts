import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Change = (source: string) => string;

/** Bundles a copy of our workflows with one file changed. Throws the error of bundling the changed code. */
export const bundleChanged = (file: string, change: Change): Promise<WorkflowBundleWithSourceMap> =>
  bundleWith({ [file]: change });

/** The same with changes of several files: each bundle costs seconds of CPU time. */
export async function bundleWith(changes: Readonly<Record<string, Change>>): Promise<WorkflowBundleWithSourceMap> {
  const copy = await mkdtemp(join(tmpdir(), 'quoting-variant-'));
  const complaints: string[] = [];
  try {
    for (const name of ['workflows', 'domain', 'package.json'])
      await cp(join(ROOT, name), join(copy, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const [file, change] of Object.entries(changes)) {
      const path = join(copy, file);
      const source = await readFile(path, 'utf8');
      const changed = change(source);
      if (changed === source) throw new Error(`${file} has nothing to change any more`);
      await writeFile(path, changed);
    }
    // The cause is written to the log, not always to the error.
    const logger = new DefaultLogger('ERROR', ({ message }) => void complaints.push(message));
    return await bundleWorkflowCode({ workflowsPath: join(copy, 'workflows/index.ts'), logger });
  } catch (error) {
    throw new Error([String(error), ...complaints].join('\n'), { cause: error });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
