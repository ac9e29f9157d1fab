import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ALLOCATOR, nodeFlags } from '../../dev/memory.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('How processes keep memory', () => {
  const flags = nodeFlags('activities/worker.ts');
  for (const [file, separator] of [
    ['package.json', ' '],
    ['docker-compose.yml', ', '],
    ['deploy/kubernetes/worker.yaml', ', '],
  ] as const) {
    it(`is the same for a worker that ${file} starts`, () => {
      assert.ok(read(file).includes(['node', ...flags, 'dist/activities/worker.js'].join(separator)), file);
    });
  }

  it('is the same in the image', () => {
    const environment = read('Dockerfile')
      .split('\n')
      .filter((line) => line.startsWith('ENV '))
      .join(' ');

    for (const [name, value] of Object.entries(ALLOCATOR)) {
      assert.ok(environment.split(' ').includes(`${name}=${value}`), name);
    }
  });
});
