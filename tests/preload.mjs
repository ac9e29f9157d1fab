import fs from 'node:fs';
import path from 'node:path';
import { lookupFiles } from 'mocha/lib/cli/lookup-files.js';
import { bundleTests } from './bundle.mjs';

// Mocha preloads this (.mocharc.json): it replaces the test files in the arguments by their bundle, made anew for each
// run. Stack traces name the source.

const isTest = (argument) => argument.endsWith('.ts') && !argument.startsWith('-');
const [node, mocha, ...args] = process.argv;
const files = args.filter(isTest).flatMap((pattern) => lookupFiles(pattern));
if (files.length > 0) {
  // Below the repository, so that packages are found.
  const root = path.dirname(import.meta.dirname);
  fs.mkdirSync(path.join(root, '.compiled'), { recursive: true });
  const outdir = fs.mkdtempSync(path.join(root, '.compiled', 'tests-'));
  process.once('exit', () => fs.rmSync(outdir, { recursive: true, force: true }));
  await bundleTests(
    files.map((file) => path.resolve(file)),
    { outdir },
  );
  const bundled = files.map((file) =>
    path.join(outdir, path.relative(root, path.resolve(file))).replace(/\.ts$/, '.js'),
  );
  process.argv = [node, mocha, ...args.filter((argument) => !isTest(argument)), ...bundled];
}
