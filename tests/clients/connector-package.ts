import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { run } from './run-program.ts';
import { installed, ROOT } from './tools.ts';

export interface ConnectorPackage {
  readonly folder: string;
  /** Loads a package, or a file of this one, as CommonJS. */
  readonly load: NodeJS.Require;
}

/** Installs what a connector's own lock file names, checks its types and builds it. */
export async function connectorPackage(name: string): Promise<ConnectorPackage> {
  const folder = join(ROOT, 'packages', name);
  const modules = join(folder, 'node_modules');
  const isOwn = lstatSync(modules, { throwIfNoEntry: false })?.isDirectory() ?? false;
  // A developer may have installed the packages with npm.
  if (!isOwn) {
    const tools = await installed(name, folder);
    rmSync(modules, { force: true });
    symlinkSync(join(tools, 'node_modules'), modules);
  }
  await run('npm', ['run', '--silent', 'types'], { cwd: folder });
  await run('npm', ['run', '--silent', 'build'], { cwd: folder });
  return { folder, load: createRequire(join(folder, 'package.json')) };
}
