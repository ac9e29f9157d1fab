/**
 * What a commit's message must be like. History tells in sentences, and the CHANGELOG is written by hand, so no tool
 * needs a prefix; one that is given must be of Conventional Commits, for readers and tools that know them.
 */

const LONGEST_SUBJECT = 160;
const TYPES = ['feat', 'fix', 'docs', 'refactor', 'perf', 'test', 'build', 'ci', 'chore', 'style', 'revert'];
const PREFIX = /^([A-Za-z]+)(?:\([\w./-]+\))?!?: /;
const UNFINISHED = /^(wip\b|fixup!|squash!|amend!)/i;

/** Why the message cannot stay so; empty when it can. Lines that git itself drops are not looked at. */
export function problemsOf(message: string): readonly string[] {
  const [subject = '', second] = message
    .replace(/^#.*\n?/gm, '')
    .trimEnd()
    .split('\n');
  // Git words these by itself.
  if (/^(Merge|Revert) /.test(subject)) return [];
  const [prefix = '', type = ''] = PREFIX.exec(subject) ?? [];
  const sentence = subject.slice(prefix.length);
  const problems: readonly (readonly [boolean, string])[] = [
    [sentence.trim() === '', 'it says nothing'],
    [UNFINISHED.test(subject), 'it is of unfinished work: squash it'],
    [prefix !== '' && !TYPES.includes(type), `"${type}" is no type of Conventional Commits: ${TYPES.join(', ')}`],
    [prefix === '' && !/^\P{Ll}/u.test(sentence), 'its sentence begins small'],
    [subject.endsWith('.'), 'its first line ends with a full stop'],
    [subject.length > LONGEST_SUBJECT, `its first line has more than ${LONGEST_SUBJECT} characters`],
    [second !== undefined && second !== '', 'its second line is not empty'],
  ];
  return problems.flatMap(([isSo, problem]) => (isSo ? [problem] : []));
}
