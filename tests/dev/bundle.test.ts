import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleEntries } from '../../dev/bundle.mjs';
import { makeDataFolder, removeFolder } from './data-folder.ts';

const TEXT = '¿Sí? — “ñandú” … 合計 🙂';

/** A program with characters of every width, which calls a package that calls it back. */
const PROGRAM = `import './first.js';
import { LRUCache } from 'lru-cache';

const html = (strings, ...values) => String.raw({ raw: strings }, ...values);
class Refused extends Error {}
function refuse() {
  throw new Refused(html\`—\${'x'}\`);
}
console.log('${TEXT}', /[—…🙂]/u.test('🙂'), /^[^—]$/u.test('🙂'), Refused.name);
try {
  new LRUCache({ max: 1, dispose: refuse }).set('a', 1).set('b', 2);
} catch (error) {
  console.log(error.message, error.stack);
}
`;

describe('the bundle of an entry point', () => {
  let folder: string;
  let output: string;
  before(async () => {
    folder = await makeDataFolder();
    fs.mkdirSync(path.join(folder, 'api'));
    fs.symlinkSync(path.join(import.meta.dirname, '../../node_modules'), path.join(folder, 'node_modules'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    // Own code in front of the package, which would cover it in a map with gaps.
    fs.writeFileSync(path.join(folder, 'api/first.js'), 'globalThis.first = true;');
    fs.writeFileSync(path.join(folder, 'api/main.js'), PROGRAM);
    await bundleEntries(folder);
    const args = ['--enable-source-maps', path.join(folder, 'api/main.js')];
    ({ stdout: output } = await promisify(execFile)(process.execPath, args));
  });
  after(() => removeFolder(folder));

  it('has no character that makes V8 store it in two bytes per character', () => {
    const code = fs.readFileSync(path.join(folder, 'api/main.js'), 'utf8');

    assert.deepEqual(code.match(/[\u0100-\uffff]/g), null);
  });

  it('prints texts, matches patterns and names classes as its source does', () => {
    assert.equal(output.split('\n')[0], `${TEXT} true true Refused`);
    assert.match(output.split('\n')[1] ?? '', /^—x /);
  });

  it('names own modules in stack traces, and never for the code of a package', () => {
    const frames = output.split('\n').filter((line) => /^ +at .*main\.js:/.test(line));
    const own = frames.flatMap((frame) => /\(\/.*main\.js:(\d+):\d+\)$/.exec(frame)?.[1] ?? []);
    const inBundle = frames.filter((frame) => frame.includes('(file://'));

    assert.deepEqual(own, ['7', '11'], output);
    assert.equal(inBundle.length, frames.length - 2, output);
    assert.ok(inBundle.length > 0, output);
  });

  it('has a source map without the code of packages', () => {
    const { sources } = JSON.parse(fs.readFileSync(path.join(folder, 'api/main.js.map'), 'utf8')) as {
      sources: readonly string[];
    };

    assert.deepEqual(sources.filter(Boolean), ['first.js', 'main.js']);
  });
});
