import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ALLOCATOR, nodeFlags } from '../../dev/memory.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('memory settings of processes', () => {
  const flags = nodeFlags('worker/main.ts');
  for (const [kind, file, separator] of [
    ['worker', 'package.json', ' '],
    ['worker', 'docker-compose.yml', ', '],
    ['worker', 'deploy/kubernetes/worker.yaml', ', '],
    ['api', 'package.json', ' '],
    ['api', 'docker-compose.yml', ', '],
    ['api', 'deploy/kubernetes/api.yaml', ', '],
  ] as const) {
    it(`are the same for the ${kind} that ${file} starts`, () => {
      const command = ['node', ...nodeFlags(`${kind}/main.ts`), `dist/${kind}/main.js`];

      assert.ok(read(file).includes(command.join(separator)), file);
    });
  }

  it('are the same for the image without a command', () => {
    const command = ['node', ...nodeFlags('api/main.ts'), 'dist/api/main.js'].map((part) => `"${part}"`);

    assert.ok(read('Dockerfile').includes(`CMD [${command.join(', ')}]`));
  });

  it('do not override the heap limit of a thread', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--input-type=module', '--eval', GREEDY]);

    assert.equal(stdout.trim(), 'ERR_WORKER_OUT_OF_MEMORY');
  });

  it('are the same in the image', () => {
    const environment = read('Dockerfile')
      .split('\n')
      .filter((line) => line.startsWith('ENV '))
      .join(' ');

    for (const [name, value] of Object.entries(ALLOCATOR)) {
      assert.ok(environment.split(' ').includes(`${name}=${value}`), name);
    }
  });
});

/** A thread limited to 32 MB, as the PDF threads are limited, that allocates ten times as much. */
const GREEDY = `
  import { Worker } from 'node:worker_threads';
  const greedy = 'const kept = []; for (let n = 0; n < 150; n += 1) kept.push(Array.from({ length: 250000 }, (_, i) => i + 0.5))';
  const thread = new Worker(greedy, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
  thread.on('error', ({ code }) => console.log(code));
`;
