import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

// Compiles the sources into `.compiled/<hash of sources and packages>/`, unless they are there: loading them through
// tsx costs two seconds of CPU per process. Bundles the API, the worker and the commands, each with the packages it loads. Removes
// types without checking them, which is faster than `tsc` by seconds. Plain JavaScript, because it runs before the compiler.

const REPOSITORY = path.dirname(import.meta.dirname);
const FOLDER = path.join(REPOSITORY, '.compiled');
const SOURCES = [
  'domain',
  'db',
  'adapters',
  'workflows',
  'activities',
  'worker',
  'ops',
  'api',
  'portal',
  'console',
  'dev',
];
/** Files that the code reads or loads from its own folder. */
const BESIDE = [
  'docs',
  'api/docs/assets',
  'portal/assets',
  'console/assets',
  'api/openapi/examples',
  'dev/tools.requirements.txt',
  'dev/own-address.mjs',
];
const DAY_MS = 86_400_000;

/** Returns the folder of the compiled code. */
export async function compile() {
  const target = path.join(FOLDER, hashOfSources());
  if (!fs.existsSync(target)) {
    removeOld();
    // Two starts may compile at the same time; the rename keeps either from seeing half a folder.
    const part = `${target}.${process.pid}`;
    try {
      await emit(part);
      fs.renameSync(part, target);
    } catch (error) {
      fs.rmSync(part, { recursive: true, force: true });
      if (!fs.existsSync(target)) throw error;
    }
  }
  return target;
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const file of [
    ...sourceFiles().toSorted(),
    'tsconfig.json',
    'dev/bundle.mjs',
    'dev/compiled.mjs',
    // All installed packages: the bundles hold them, and the compiler is one of them.
    'node_modules/.package-lock.json',
  ]) {
    hash.update(`${file}\0`).update(fs.readFileSync(path.join(REPOSITORY, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Relative to the repository. */
const sourceFiles = () =>
  SOURCES.flatMap((folder) =>
    fs.readdirSync(path.join(REPOSITORY, folder), { recursive: true }).map((file) => path.join(folder, file)),
  ).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));

/** An import as esbuild prints it. The new name is as long as the old one, so positions of the source map stay. */
const RELATIVE_IMPORT = /((?:\bfrom |\bimport |\bimport\()"\.{1,2}\/[^"\n]+)\.ts"/g;

async function emit(folder) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: REPOSITORY,
    entryPoints: sourceFiles(),
    outdir: folder,
    outbase: REPOSITORY,
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    write: false,
  });
  for (const { path: file, contents, text } of outputFiles) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, file.endsWith('.js') ? text.replaceAll(RELATIVE_IMPORT, '$1.js"') : contents);
  }
  for (const name of BESIDE) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.symlinkSync(path.join(REPOSITORY, name), path.join(folder, name));
  }
  const { bundleEntries } = await import('./bundle.mjs');
  await bundleEntries(folder);
}

/** Running processes may still load code from an older folder. */
function removeOld() {
  fs.mkdirSync(FOLDER, { recursive: true });
  for (const name of fs.readdirSync(FOLDER)) {
    const folder = path.join(FOLDER, name);
    if (Date.now() - fs.statSync(folder).mtimeMs > DAY_MS) fs.rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) console.log(await compile());
