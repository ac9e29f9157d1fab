import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { compareWith } from '../../bench/against.ts';
import { interval95 } from '../../bench/lib/measure.ts';

/** `.ci/run` compares HEAD with itself; here is what needs no servers. */
describe('npm run bench -- --against', () => {
  const compare = (commit: string, rounds: number) => compareWith({ commit, rounds, say: () => undefined });

  it('an unknown commit and too few rounds are refused before anything is built', async () => {
    await assert.rejects(compare('no-such-commit', 20), { message: 'no commit no-such-commit in this repository' });
    for (const rounds of [5, Number.NaN]) {
      await assert.rejects(compare('HEAD', rounds), { message: '--against takes 6 rounds or more' });
    }
  });

  it('options of the other benchmarks are refused', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'bench/run.ts', '--against', 'HEAD', '--quick'],
      { encoding: 'utf8' },
    );
    assert.equal(status, 1);
    assert.ok(stderr.includes('--against goes with --rounds only'), stderr);
  });
});

describe('The 95 % interval of a median', () => {
  const downFrom = (n: number) => Array.from({ length: n }, (_, index) => n - index);

  it('six or more values: leaves out as many on each side as the table of the sign test says', () => {
    assert.deepEqual(interval95(downFrom(20)), [6, 15]);
    assert.deepEqual(interval95(downFrom(10)), [2, 9]);
    assert.deepEqual(interval95(downFrom(6)), [1, 6]);
  });
});
