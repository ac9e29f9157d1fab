import assert from 'node:assert/strict';
import { type Machine, reliabilityPage } from '../chaos/reliability.ts';
import type { Finding } from '../chaos/report.ts';

const machine: Machine = { cores: 2, memoryGb: 16, node: '22.1.0', postgres: '18.4', temporal: '1.29.0' };
const finding = (given: Partial<Finding>): Finding => ({
  fault: 'F1 kill -9 of the API',
  times: 40,
  kills: 40,
  invariants: 'I1–I12',
  result: '800 calls',
  lost: 0,
  doubled: 0,
  ...given,
});
const page = (...findings: readonly Partial<Finding>[]) =>
  reliabilityPage(findings.map(finding), { machine, date: '2026-11-28' });
const rowsOf = (text: string) => text.split('\n').filter((line) => /^\| (F\d|\*\*all|bursts)/.test(line));

describe('docs/reliability.md', () => {
  it('has a row for each fault with the sums of its runs and the last result, and a row for all', () => {
    const text = page(
      { fault: 'F10 hostile receivers', times: 12, kills: 0, result: 'each in its code' },
      { fault: 'F2b rolling SIGTERM', times: 6, kills: 0, result: '0 failed' },
      { result: '700 calls' },
      { fault: 'F2 kill -9 of the worker', times: 20, kills: 20 },
      { result: 'away 900 ms | quiet\nafter 2 s', times: 20, kills: 20 },
    );

    assert.deepEqual(rowsOf(text), [
      '| F1 kill -9 of the API | 60 | 60 | I1–I12 | 0 | 0 | away 900 ms \\| quiet after 2 s (2 runs) |',
      '| F2 kill -9 of the worker | 20 | 20 | I1–I12 | 0 | 0 | 800 calls |',
      '| F2b rolling SIGTERM | 6 | 0 | I1–I12 | 0 | 0 | 0 failed |',
      '| F10 hostile receivers | 12 | 0 | I1–I12 | 0 | 0 | each in its code |',
      '| **all** | 98 | 80 | | 0 | 0 | |',
    ]);
  });

  it('states the upper bound of the loss rate after n kills without a loss: 3/n', () => {
    assert.match(page({ kills: 200 }), /In 200 kills nothing was lost[\s\S]* fewer than\s1\.5 % of cases \(3\/n\)/);
  });

  it('states no bound when something was lost or doubled, or nothing was killed', () => {
    assert.match(page({ lost: 1 }), /In 40 kills, 1 findings were wrong\*\*: no bound is claimed/);
    assert.match(page({ doubled: 2 }), /2 findings were wrong/);
    assert.match(page({ kills: 0 }), /No process was killed/);
    assert.doesNotMatch(page({ lost: 1 }), /3\/n/);
  });

  it('describes the machine, and what is not promised', () => {
    const text = page({});

    assert.match(
      text,
      /2026-11-28, on 2 cores and 16 GB of memory, with Node 22\.1\.0, PostgreSQL\s18\.4 and Temporal 1\.29\.0/,
    );
    assert.match(text, /## What is not promised\n\n- \*\*A mail may come twice/);
  });
});
