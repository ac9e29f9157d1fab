import assert from 'node:assert/strict';
import { documents, isRun } from './documents.ts';

describe('commands of documents that a test runs', () => {
  it('name no port of the service, which is another one when 3000 is in use', () => {
    const commands = documents().flatMap(({ blocks }) =>
      blocks.filter((block) => isRun(block) && block.language === 'sh'),
    );

    assert.ok(commands.some((block) => block.document === 'README.md'));
    assert.deepEqual(
      commands.filter(({ text }) => /:3000\b/.test(text)).map(({ document, line }) => `${document}:${line}`),
      [],
    );
  });
});
