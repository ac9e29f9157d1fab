import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('The commit-msg hook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-message-'));
  after(() => rmSync(folder, { recursive: true }));

  const hooks = parse(readFileSync(`${ROOT}lefthook.yml`, 'utf8')) as {
    'commit-msg': { commands: { message: { run: string } } };
  };
  const check = (message: string) => {
    const file = join(folder, 'COMMIT_EDITMSG');
    writeFileSync(file, message);
    const command = hooks['commit-msg'].commands.message.run.replace('{1}', file);
    return spawnSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
  };

  it('accepts a Conventional Commits subject of 160 characters', () => {
    const { status, stdout } = check(`fix(api/quotes)!: ${'S'.repeat(142)}\n\n${'b'.repeat(200)}\n`);

    assert.equal(status, 0, stdout);
  });

  it('refuses a subject without a type, with an unknown type, with a full stop or above 160 characters', () => {
    const { status, stdout } = check('Share once');
    const { stdout: second } = check(`feature: ${'S'.repeat(151)}.`);

    assert.equal(status, 1);
    const rules = [...`${stdout}${second}`.matchAll(/\[([a-z-]+)\]$/gm)].map(([, rule]) => rule);
    assert.deepEqual(
      rules.toSorted((a, b) => String(a).localeCompare(String(b))),
      ['header-max-length', 'subject-empty', 'subject-full-stop', 'type-empty', 'type-enum'],
    );
  });
});
