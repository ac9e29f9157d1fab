import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeDataFolder, removeFolder } from './data-folder.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');

describe('npm start after a change', () => {
  let root: string;
  let unchanged: string;
  before(async () => {
    root = await makeDataFolder();
    for (const name of ['dev', 'portal', 'console'])
      fs.cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true });
    // The modules that its API loads are not copied, so it could not be bundled.
    fs.rmSync(path.join(root, 'dev/api.ts'));
    // A compiler that checks no types needs no files of the other folders, and takes less time without.
    for (const name of ['domain', 'db', 'adapters', 'workflows', 'activities', 'worker', 'ops', 'api']) {
      fs.mkdirSync(path.join(root, name));
    }
    // Folders that are linked beside the compiled code.
    for (const name of ['docs', 'api/docs/assets', 'api/openapi/examples', 'console/assets']) {
      fs.mkdirSync(path.join(root, name), { recursive: true });
    }
    for (const name of ['package.json', 'tsconfig.json']) {
      fs.cpSync(path.join(ROOT, name), path.join(root, name));
    }
  });
  after(() => removeFolder(root));

  const compiled = async () => (await run(process.execPath, ['dev/compiled.mjs'], { cwd: root })).stdout.trim();
  const compiledMain = (folder: string) => fs.readFileSync(path.join(folder, 'dev/status.js'), 'utf8');

  it('fails without packages, and says what to install', async () => {
    await assert.rejects(run(process.execPath, ['dev/run.mjs', 'status'], { cwd: root }), {
      stderr: 'Faltan los paquetes de npm. Ejecute npm ci.\n',
    });
  });

  it('compiles the same sources once', async () => {
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
    const first = await compiled();
    const { mtimeMs } = fs.statSync(path.join(first, 'dev/status.js'));
    assert.equal(await compiled(), first);
    assert.equal(fs.statSync(path.join(first, 'dev/status.js')).mtimeMs, mtimeMs);
    unchanged = first;
  });

  it('compiles changed sources anew, whole for each of two starts at the same time', async () => {
    fs.appendFileSync(path.join(root, 'dev/status.ts'), "\nconsole.log('changed');\n");
    const folders = await Promise.all([compiled(), compiled()]);

    assert.equal(new Set(folders).size, 1);
    assert.match(compiledMain(folders[0] ?? ''), /changed/);
    assert.doesNotMatch(compiledMain(unchanged), /changed/);
    assert.deepEqual(
      fs.readdirSync(path.join(root, '.compiled')).filter((name) => name.includes('.')),
      [],
    );
  });
});
