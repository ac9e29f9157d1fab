import { execFile, execFileSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The service as it is deployed: compiled and bundled. From source, the loader's helpers would be measured with it. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIST = path.join(ROOT, '.data/bench/dist');

let building: Promise<void> | undefined;

/** The compiled form of a source file such as "api/main.ts"; compiles once for each run. */
export async function built(entry: string): Promise<string> {
  await (building ??= build());
  return path.join(DIST, entry.replace(/\.ts$/, '.js'));
}

async function build(): Promise<void> {
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['-p', path.join(ROOT, 'bench/tsconfig.json'), '--noCheck']);
  // What is read at run time and is no source.
  for (const folder of ['portal/assets', 'console/assets', 'api/openapi/examples'])
    await cp(path.join(ROOT, folder), path.join(DIST, folder), { recursive: true });
  await cp(path.join(ROOT, 'docs'), path.join(DIST, 'docs'), { recursive: true });
  execFileSync(process.execPath, ['dev/bundle.mjs', DIST], { cwd: ROOT });
  execFileSync(process.execPath, ['--import', 'tsx', 'dev/docs.ts', path.join(DIST, 'site')], { cwd: ROOT });
}
