import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { makeDataFolder, removeFolder } from './data-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SDK = 'node_modules/@temporalio/core-bridge';
const TARGETS = [
  'aarch64-apple-darwin',
  'aarch64-unknown-linux-gnu',
  'x86_64-apple-darwin',
  'x86_64-pc-windows-msvc',
  'x86_64-unknown-linux-gnu',
];

describe('npm ci', () => {
  let root: string;
  before(async () => {
    root = await makeDataFolder();
  });
  after(() => removeFolder(root));

  const add = (file: string) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), '');
  };
  const files = (folder: string) => fs.readdirSync(path.join(root, folder)).toSorted();

  it('keeps the native code of this system and the fonts of documents, and removes those that nothing loads', () => {
    for (const target of TARGETS) add(`${SDK}/releases/${target}/index.node`);
    for (const weight of ['Bold', 'Light', 'Medium', 'Regular']) {
      add(`node_modules/@embedpdf/fonts-sc/fonts/NotoSansHans-${weight}.otf`);
      add(`node_modules/@embedpdf/fonts-kr/fonts/NotoSansKR-${weight}.otf`);
    }
    for (const file of [`${SDK}/common.js`, 'dev/slim.mjs', 'package.json']) {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      fs.copyFileSync(path.join(ROOT, file), path.join(root, file));
    }

    execFileSync(process.execPath, ['dev/slim.mjs'], { cwd: root });

    const loader = createRequire(import.meta.url)('@temporalio/core-bridge/common.js') as {
      getPrebuiltTargetName: () => string;
    };
    assert.deepEqual(files(`${SDK}/releases`), [loader.getPrebuiltTargetName()]);
    assert.deepEqual(files('node_modules/@embedpdf/fonts-sc/fonts'), [
      'NotoSansHans-Bold.otf',
      'NotoSansHans-Regular.otf',
    ]);
    assert.deepEqual(files('node_modules/@embedpdf/fonts-kr/fonts'), ['NotoSansKR-Bold.otf', 'NotoSansKR-Regular.otf']);
  });
});
