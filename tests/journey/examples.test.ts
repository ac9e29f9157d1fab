import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { needs } from '../stack.ts';
import { story } from './examples/story.ts';

needs('temporal', 'storage', 'inbox');

describe('examples', () => {
  it('run', async () => {
    const now = await story();
    await writeFile(process.env['OUT'] ?? '/tmp/w/h23/ex1.json', JSON.stringify(now, null, 2));
    assert.ok(now);
  });
});
