import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { problemsOf } from './commit-message.ts';

// `npm run commits`: the messages of every commit since the rule was made; with a file, that one message (lefthook).

/** The last commit that was made before there was a rule. */
const SINCE = 'a75b3e1';

interface Message {
  readonly commit: string;
  readonly text: string;
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' });

function history(): readonly Message[] {
  const isKnown = spawnSync('git', ['merge-base', '--is-ancestor', SINCE, 'HEAD']).status === 0;
  if (!isKnown) {
    // A shallow clone, or a copy whose history is another's.
    process.stdout.write(`${SINCE} is not in this history: no messages are checked\n`);
    return [];
  }
  return git('log', '--format=%h%n%B%x00', `${SINCE}..HEAD`)
    .split('\0')
    .map((entry) => entry.trimStart())
    .filter(Boolean)
    .map((entry) => {
      const end = entry.indexOf('\n');
      return { commit: entry.slice(0, end), text: entry.slice(end + 1) };
    });
}

const [file] = process.argv.slice(2);
const messages = file === undefined ? history() : [{ commit: 'this message', text: readFileSync(file, 'utf8') }];
const complaints = messages.flatMap(({ commit, text }) => problemsOf(text).map((problem) => `${commit}: ${problem}`));
if (complaints.length > 0) {
  process.stderr.write(`${complaints.join('\n')}\nCONTRIBUTING.md says what a message is like.\n`);
  process.exitCode = 1;
}
