import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed } from './tools.ts';

/** Program and arguments before the module that it runs. */
type Command = readonly [string, ...string[]];

export const RUNTIME_NAMES = ['Node 20', 'Node 22', 'Node 24', 'Bun', 'Deno'] as const;

/** The runtimes that the client supports. Node 20 is the one that runs the tests; the others are installed. */
export async function runtimes(): Promise<Readonly<Record<(typeof RUNTIME_NAMES)[number], Command>>> {
  const modules = join(
    await installed('runtimes', fileURLToPath(new URL('runtimes', import.meta.url))),
    'node_modules',
  );
  const system = `linux-${process.arch}`;
  const bun = `linux-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
  return {
    'Node 20': [process.execPath],
    'Node 22': [join(modules, `node-22-${system}/bin/node`)],
    'Node 24': [join(modules, `node-24-${system}/bin/node`)],
    Bun: [join(modules, `@oven/bun-${bun}/bin/bun`), 'run'],
    Deno: [join(modules, `@deno/${system}-glibc/deno`), 'run', '--no-prompt', '--allow-net=127.0.0.1', '--allow-env'],
  };
}
