import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

// Replaces the compiled entry points of the API and of the worker by bundles, each a single file with its own modules
// and the packages it loads at its start: finding and reading some thousand files costs half a second of CPU. The
// compiled modules stay beside them, for threads, child processes and what is loaded on demand.

/** Packages that stay in `node_modules`. */
const EXTERNAL = [
  // Native code, or files that they read from their own folder.
  '@node-rs/argon2',
  'sharp',
  '@resvg/*',
  // Tracing patches `pg` when it is required, and both must be the only copy.
  'pg',
  '@opentelemetry/*',
  // Tests read from Node's list of loaded packages what a process has loaded.
  'prom-client',
  // Optional drivers of Knex, which are not installed.
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];

const BUNDLES = [
  { entries: ['api/main.js', 'dev/api.js'], external: EXTERNAL },
  // The SDK starts threads from its own files, and the activities share its context: one copy of all its packages.
  { entries: ['worker/main.js'], external: [...EXTERNAL, '@temporalio/*'] },
];

/** Bundles the entry points that `folder` holds. */
export async function bundleEntries(folder) {
  await Promise.all(
    BUNDLES.map(async ({ entries, external }) => {
      const files = entries.map((entry) => path.join(folder, entry)).filter((entry) => fs.existsSync(entry));
      await build({
        entryPoints: files,
        outdir: folder,
        outbase: folder,
        allowOverwrite: true,
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        keepNames: true,
        sourcemap: true,
        sourcesContent: false,
        external,
        // For CommonJS packages; an ES module has no `require`.
        banner: {
          js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
        },
        plugins: [ownModules(folder)],
        logLevel: 'warning',
      });
      for (const file of files) nameFewerFunctions(file);
    }),
  );
}

/** esbuild's helper; a name that a module uses itself has a number at its end. */
const NAME = /(var __name\d* = \(target\d*, value\d*\) => )(__defProp\d*\((target\d*))/;

/**
 * Errors and models show the names of their classes, so the bundle restores names that it changed. It does so whenever a
 * function is created, which for the arrow functions of a request is 8 % of its CPU time; nothing reads their names, and
 * they are recognized by having no prototype.
 */
function nameFewerFunctions(file) {
  const code = fs.readFileSync(file, 'utf8');
  if (!NAME.test(code)) throw new Error(`${file}: esbuild names functions in another way`);
  fs.writeFileSync(file, code.replace(NAME, "$1!('prototype' in $3) ? $3 : $2"));
}

/** Own modules keep their own address, and stay separate files where they are loaded on demand. */
const ownModules = (folder) => ({
  name: 'own-modules',
  setup({ onLoad }) {
    // Only these: each call crosses to esbuild's process, and packages have thousands of files.
    const own = new RegExp(`^${folder.replaceAll(/[.\\+*?^$()[\]{}|]/g, '\\$&')}.*\\.js$`);
    // Every entry point lies in a folder of `folder`.
    const addressOf = (file) => `new URL(${JSON.stringify(`../${path.relative(folder, file)}`)}, import.meta.url).href`;
    onLoad({ filter: own }, ({ path: file }) => {
      const contents = fs
        .readFileSync(file, 'utf8')
        .replaceAll('import.meta.url', addressOf(file))
        // esbuild leaves imports of computed addresses as they are.
        .replaceAll(
          /\bimport\((["'])(\.[^"']+)\1\)/g,
          (_, quote, target) => `import(${addressOf(path.join(path.dirname(file), target))})`,
        );
      return { contents, loader: 'js' };
    });
  },
});

if (process.argv[1] === import.meta.filename) await bundleEntries(path.resolve(process.argv[2] ?? 'dist'));
