import fs from 'node:fs';
import path from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { build } from 'esbuild';

// Replaces the compiled entry points of the API, of the worker and of the commands by bundles with its own modules
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
  // Most API processes call no address of a user, and load the client for that with the first call.
  { entries: ['api/main.js', 'dev/api.js'], external: [...EXTERNAL, 'undici'] },
  // The SDK starts threads from its own files, and the activities share its context: one copy of all its packages.
  { entries: ['worker/main.js'], external: [...EXTERNAL, '@temporalio/*'] },
  // A command loads only its own part, so each one becomes a file beside the entry point.
  { entries: ['ops/cli.js', 'ops/migrate.js'], external: [...EXTERNAL, '@temporalio/worker'], isSplit: true },
];

/** Bundles the entry points that `folder` holds. */
export async function bundleEntries(folder) {
  await Promise.all(
    BUNDLES.map(async ({ entries, external, isSplit = false }) => {
      const files = entries.map((entry) => path.join(folder, entry)).filter((entry) => fs.existsSync(entry));
      await build({
        entryPoints: files,
        outdir: folder,
        outbase: folder,
        // In the folder of the entry points, because modules keep addresses relative to it.
        chunkNames: 'ops/[name]-[hash]',
        allowOverwrite: true,
        bundle: true,
        splitting: isSplit,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        keepNames: true,
        // Processes keep the text of their program. Traces come from the source map; a fatal error prints its line.
        minifyWhitespace: true,
        lineLimit: 200,
        legalComments: 'none',
        sourcemap: true,
        sourcesContent: false,
        external,
        // For CommonJS packages; an ES module has no `require`.
        banner: {
          js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
        },
        plugins: [ownModules(folder, isSplit), tablesOnDemand],
        logLevel: 'warning',
      });
      // This saves memory and time of processes that run for long, which commands do not.
      for (const file of isSplit ? [] : files) {
        fs.writeFileSync(file, oneBytePerCharacter(nameFewerFunctions(fs.readFileSync(file, 'utf8'), file), file));
        fs.writeFileSync(`${file}.map`, linesOfOwnModules(fs.readFileSync(`${file}.map`, 'utf8')));
      }
    }),
  );
}

/** esbuild's helper; a name that a module uses itself has a number at its end. */
const NAME = /(var __name\d*=\(target\d*,value\d*\)=>)(__defProp\d*\((target\d*))/;

/**
 * Errors and models show the names of their classes, so the bundle restores names that it changed. It does so whenever a
 * function is created, which for the arrow functions of a request is 8 % of its CPU time; nothing reads their names, and
 * they are recognized by having no prototype.
 */
function nameFewerFunctions(code, file) {
  if (!NAME.test(code)) throw new Error(`${file}: esbuild names functions in another way`);
  return code.replace(NAME, "$1!('prototype'in $3)?$3:$2");
}

/**
 * V8 stores a text with a single character beyond Latin-1 in two bytes per character, which is 8 MB for the API. Escapes
 * mean the same in strings, templates, patterns and names, unless a backslash or a raw template precedes them.
 */
function oneBytePerCharacter(code, file) {
  const wide = /[\u0100-\uffff]/g;
  if (/\\[\u0100-\uffff]/.test(code) || /\braw`[^`]*[\u0100-\uffff]/.test(code))
    throw new Error(`${file}: a character cannot be escaped`);
  return code.replaceAll(wide, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * With source maps enabled, Node keeps the whole map of a program, and at the first trace parses it into an object for each
 * place: 100 MB for the API. Nine tenths are packages, and traces need no more than one place for each line.
 */
function linesOfOwnModules(text) {
  const { sources, mappings, ...map } = JSON.parse(text);
  const isOwn = sources.map((source) => !source.includes('node_modules/'));
  const lines = decode(mappings).map((segments) => {
    let last;
    return segments.flatMap(([column, source, line, originalColumn]) => {
      const own = source !== undefined && isOwn[source];
      const isKnown =
        last !== undefined && last.own === own && (!own || (last.source === source && last.line === line));
      if (isKnown) return [];
      last = { own, source, line };
      // A place without a source ends what the one before it covers.
      return own ? [[column, source, line, originalColumn]] : [[column]];
    });
  });
  return JSON.stringify({
    ...map,
    names: [],
    sources: sources.map((source, n) => (isOwn[n] ? source : '')),
    mappings: encode(lines),
  });
}

/**
 * 0.4 MB of character sets, which `iconv-lite` loads when a text is in one of them. Ours are in UTF-8, which needs none.
 */
const tablesOnDemand = {
  name: 'tables-on-demand',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/tables\/[\w-]+\.json$/ }, ({ path: file, importer }) =>
      importer.includes('iconv-lite') ? { path: path.join('iconv-lite/encodings', file), external: true } : undefined,
    );
  },
};

/** Own modules keep their own address, and unless they are split, stay separate files where they are loaded on demand. */
const ownModules = (folder, isSplit) => ({
  name: 'own-modules',
  setup({ onLoad }) {
    // Only these: each call crosses to esbuild's process, and packages have thousands of files.
    const own = new RegExp(`^${folder.replaceAll(/[.\\+*?^$()[\]{}|]/g, '\\$&')}.*\\.js$`);
    // Every entry point lies in a folder of `folder`.
    const addressOf = (file) => `new URL(${JSON.stringify(`../${path.relative(folder, file)}`)}, import.meta.url).href`;
    onLoad({ filter: own }, ({ path: file }) => {
      const contents = fs.readFileSync(file, 'utf8').replaceAll('import.meta.url', addressOf(file));
      if (isSplit) return { contents, loader: 'js' };
      // esbuild leaves imports of computed addresses as they are.
      const computed = contents.replaceAll(
        /\bimport\((["'])(\.[^"']+)\1\)/g,
        (_, quote, target) => `import(${addressOf(path.join(path.dirname(file), target))})`,
      );
      return { contents: computed, loader: 'js' };
    });
  },
});

if (process.argv[1] === import.meta.filename) await bundleEntries(path.resolve(process.argv[2] ?? 'dist'));
