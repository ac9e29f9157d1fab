import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { problemsOf } from '../../dev/commit-message.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('A commit’s message', () => {
  it('is a sentence, or one behind a type of Conventional Commits', () => {
    const good = [
      'Say what an IPv6 address counts as',
      '404 before 403 for a foreign quote',
      'feat: filter quotes by label',
      'fix(api/quotes)!: keep the tax rate of a revision\n\nBREAKING CHANGE: taxRate is frozen.',
      'Share once\n\nTwo calls in flight sent two mails.\n# a comment of git',
      'Merge branch "x"',
    ];

    assert.deepEqual(good.flatMap(problemsOf), []);
  });

  it('is refused when it says nothing, is unfinished, too long, or not as all others', () => {
    const wrong = [
      '',
      'fix:',
      'wip',
      'fixup! Share once',
      'feature: x',
      'share once',
      'Share once.',
      'S'.repeat(161),
      'A\nb',
    ];

    assert.deepEqual(
      wrong.filter((message) => problemsOf(message).length === 0),
      [],
    );
  });

  it('is looked at by the hook when it is written, and for every commit since the rule by CI', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quoting-message-'));
    const file = join(folder, 'COMMIT_EDITMSG');
    const hooks = parse(readFileSync(`${ROOT}lefthook.yml`, 'utf8')) as {
      'commit-msg': { commands: { message: { run: string } } };
    };
    const check = (message: string) => {
      writeFileSync(file, message);
      const command = hooks['commit-msg'].commands.message.run.replace('{1}', file);
      const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
      return { status, stderr: stderr.split('\n')[0] };
    };

    assert.deepEqual(check('Share once\n'), { status: 0, stderr: '' });
    assert.deepEqual(check('share once\n'), { status: 1, stderr: 'this message: its sentence begins small' });
    rmSync(folder, { recursive: true });
    assert.match(readFileSync(`${ROOT}.ci/run`, 'utf8'), /^ {2}run commits npm run --silent commits &$/m);
    const all = spawnSync('npm', ['run', '--silent', 'commits'], { cwd: ROOT, encoding: 'utf8' });
    assert.deepEqual([all.status, all.stderr], [0, '']);
  });
});
