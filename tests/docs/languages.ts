import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './documents.ts';

/** A sample as a command that takes the three headers as arguments and the body on standard input. */
export interface Sample {
  readonly language: string;
  readonly command: () => readonly string[];
}

const sample = (ending: string) => join(ROOT, 'docs/samples', `verify.${ending}`);

export const SAMPLES: readonly Sample[] = [
  { language: 'Node', command: () => [process.execPath, sample('mjs')] },
  { language: 'Python', command: () => ['python3', sample('py')] },
  { language: 'PHP', command: () => [program('php', 'php-cli'), sample('php')] },
  { language: 'Go', command: () => [goProgram()] },
];

/** Compiled, since "go run" would do it anew for each delivery. */
function goProgram(): string {
  const binary = join(mkdtempSync(join(tmpdir(), 'quoting-go-')), 'verify');
  const { status, stdout, stderr } = spawnSync(program('go', 'golang-go'), ['build', '-o', binary, sample('go')], {
    encoding: 'utf8',
    env: { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'off' },
  });
  if (status !== 0) throw new Error(`the Go sample does not compile\n${stdout}${stderr}`);
  return binary;
}

const found = new Map<string, string>();

/** The program of that name; where root runs the tests of a Debian or Ubuntu, it is installed when it is missing. */
function program(name: string, debianPackage: string): string {
  const known = found.get(name);
  if (known) return known;
  if (!isThere(name)) install(name, debianPackage);
  found.set(name, name);
  return name;
}

const isThere = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

function install(name: string, debianPackage: string): void {
  const cure = `Install ${name} to run the samples: apt-get install ${debianPackage}`;
  if (process.getuid?.() !== 0 || !isThere('/usr/bin/apt-get')) throw new Error(cure);
  console.log(`No ${name} on this machine: installing ${debianPackage} with apt-get …`);
  const aptGet = (...args: readonly string[]) =>
    spawnSync('/usr/bin/apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  const outputs = [aptGet('update'), aptGet('install', '-y', '--no-install-recommends', debianPackage)];
  if (!isThere(name)) throw new Error([...outputs.map(({ stderr }) => stderr), cure].join('\n'));
}
