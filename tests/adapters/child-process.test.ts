import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { ChildUnavailable, LimitExceeded, runJob } from '../../adapters/child-process/run-job.ts';
import { entryArguments } from '../own-process.ts';

const entry = (file: string): URL => pathToFileURL(entryArguments(file).at(-1) ?? file);

describe('job in a child process', () => {
  const run = (job: { readonly cpuMs?: number; readonly sleepMs?: number }) =>
    runJob(entry('tests/adapters/dying-job.ts'), job, { heapMb: 64, signal: undefined, totalMs: 120_000 });

  it('is answered when it keeps its limits', async () => {
    assert.equal(await run({ cpuMs: 10 }), 'done');
  });

  it('is answered when it waits for longer than its CPU time', async () => {
    assert.equal(await run({ sleepMs: 1_500 }), 'done');
  });

  it('exceeds its limit when it uses more CPU time, although it blocks its thread', async () => {
    await assert.rejects(run({ cpuMs: 60_000 }), LimitExceeded);
  });

  it('is unavailable when the process ends before it is ready', async () => {
    const missing = runJob(new URL('./no-such-child.js', import.meta.url), {}, { heapMb: 64, signal: undefined });

    await assert.rejects(missing, ChildUnavailable);
  });
});
