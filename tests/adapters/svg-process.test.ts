import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { commandOf, send, waitUntilGone } from '../../dev/process-table.ts';
import { eventually } from '../eventually.ts';
import { entryArguments } from '../own-process.ts';

describe('process that draws an SVG', () => {
  it('has a lower priority than its parent, and ends by itself after its parent was killed', async () => {
    const parent = spawn(process.execPath, entryArguments('tests/adapters/dying-svg-parent.ts'), {
      stdio: 'ignore',
    });
    const drawing = await eventually(() => drawingOf(parent));
    try {
      await eventually(() => assert.equal(getPriority(drawing), 5), 3_000);
      parent.kill('SIGKILL');
      await once(parent, 'exit');

      assert.ok(await waitUntilGone(drawing, 30_000), 'it draws without a parent');
    } finally {
      parent.kill('SIGKILL');
      send(drawing, 'SIGKILL');
    }
  });
});

/** The child process of this one that draws. */
function drawingOf({ pid }: ChildProcess): number {
  const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
  const found = children.map(Number).find((child) => commandOf(child)?.includes('svg-child'));
  assert.ok(found !== undefined, 'nothing is being drawn');
  return found;
}
