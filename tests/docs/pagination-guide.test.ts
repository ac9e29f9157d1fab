import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as build from '../api/build.ts';
import { manyQuotes } from '../api/cursor-lists.ts';
import { service } from '../api/service.ts';
import { document, ROOT } from './documents.ts';

const execute = promisify(execFile);

describe('examples of docs/guides/pagination.md', () => {
  const { blocks } = document('docs/guides/pagination.md');
  const folder = mkdtempSync(join(tmpdir(), 'quoting-guide-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  let env: NodeJS.ProcessEnv;
  before(async () => {
    const app = await service();
    const business = await build.business();
    const { as, userId } = await build.member(business, { role: 'OWNER' });
    // More than the 100 of a page.
    await manyQuotes(business, { count: 103, userIds: [userId] });
    env = {
      // oxlint-disable-next-line node/no-process-env -- programs are found on the path
      ...process.env,
      QUOTING_URL: app.url,
      QUOTING_API_KEY: as['Authorization']?.replace('Bearer ', ''),
      UPDATED_SINCE: '2000-01-01T00:00:00Z',
    };
  });

  const OUTPUT = [/^page 1 of 11$/, /^(COT-\d+\n){102}COT-\d+$/, /^next: 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/];
  // The other languages need runtimes that this suite does without.
  const PROGRAMS = {
    sh: ['example.sh', (file: string) => ['bash', '-euo', 'pipefail', file]],
    ts: ['example.mts', (file: string) => ['node', '--import', 'tsx', file]],
  } as const;

  for (const [language, [name, command]] of Object.entries(PROGRAMS)) {
    const texts = blocks.filter((block) => block.language === language).map(({ text }) => text);
    for (const [index, text] of texts.entries()) {
      it(`${language}, number ${index + 1} of ${texts.length}: prints what it read`, async () => {
        const file = join(folder, name);
        writeFileSync(file, text);
        const [program = '', ...args] = command(file);

        const { stdout } = await execute(program, args, { cwd: ROOT, env });

        assert.match(stdout.trim(), OUTPUT[OUTPUT.length - texts.length + index] ?? /^$/);
      });
    }
  }
});
