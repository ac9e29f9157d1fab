import { writeFile } from 'node:fs/promises';
import { specifiedFlow } from './flow.ts';

// Run with `npx mocha tests/api/recorded/record.ts`, before a change that must only add members.
describe('Recording of the specified flow', () => {
  it('writes the responses', async () => {
    const file = new URL('responses.json', import.meta.url);
    await writeFile(file, `${JSON.stringify(await specifiedFlow(), null, 2)}\n`);
  });
});
