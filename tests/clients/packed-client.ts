import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './tools.ts';
import { run } from './run-program.ts';

export interface Packed {
  /** The tarball that `npm publish` would upload. */
  readonly tarball: string;
  /** Paths in it. */
  readonly files: readonly string[];
}

/** Builds and packs `packages/client` into a folder. */
export async function packClient(folder: string): Promise<Packed> {
  // Another test process may build as well, so each builds in a folder of its own, as deep as the package's.
  mkdirSync(join(ROOT, '.compiled'), { recursive: true });
  const source = mkdtempSync(join(ROOT, '.compiled/client-'));
  try {
    cpSync(join(ROOT, 'packages/client'), source, {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist)$/.test(path),
    });
    symlinkSync(join(ROOT, 'packages/client/node_modules'), join(source, 'node_modules'));
    const args = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', folder];
    const { stdout } = await run('npm', args, { cwd: source });
    const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
  } finally {
    rmSync(source, { recursive: true });
  }
}

/** A project outside of the repository that has installed the packed client. */
export interface Consumer extends Disposable {
  readonly folder: string;
  readonly packed: Packed;
  /** Writes a module of it. */
  write(name: string, text: string): string;
}

export async function consumer(): Promise<Consumer> {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-consumer-'));
  const packed = await packClient(folder);
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const args = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', packed.tarball];
  await run('npm', args, { cwd: folder });
  return { folder, packed, write, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Makes the types of Node available to a consumer. */
export function addNodeTypes({ folder }: Consumer): void {
  for (const name of ['@types/node', 'undici-types']) {
    const target = join(folder, 'node_modules', name);
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), target);
  }
}
