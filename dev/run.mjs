import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// `node dev/run.mjs <program> [arguments]` runs a program of this folder, compiled. Any version of Node can parse this file, so an outdated one, or missing packages, cause a readable message and no SyntaxError.

const MINIMUM = [20, 19];
const folder = path.dirname(fileURLToPath(import.meta.url));
const name = process.argv[2];

const refusal = refusalOf();
if (refusal) {
  console.error(refusal);
  process.exit(1);
}
const { compile } = await import('./compiled.mjs');
const program = path.join(await compile(), 'dev', `${name}.js`);
process.argv.splice(1, 2, program);
await import(pathToFileURL(program).href);

function refusalOf() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
    return `Node ${process.versions.node} es demasiado antiguo. Instale Node ${MINIMUM.join('.')} o posterior.`;
  }
  const packages = path.join(path.dirname(folder), 'node_modules');
  return fs.existsSync(path.join(packages, 'esbuild')) ? undefined : 'Faltan los paquetes de npm. Ejecute npm ci.';
}
