import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../docs/documents.ts';
import { ensurePrograms } from '../docs/programs.ts';

/** A sample as a command: the three headers as arguments, the body on standard input. */
export interface Sample {
  readonly language: string;
  readonly command: () => readonly string[];
}

const sample = (ending: string) => join(ROOT, 'docs/samples', `verify.${ending}`);

export const SAMPLES: readonly Sample[] = [
  { language: 'Node', command: () => [process.execPath, sample('mjs')] },
  { language: 'Python', command: () => [program(PYTHON), sample('py')] },
  { language: 'PHP', command: () => [program(PHP), sample('php')] },
  { language: 'Go', command: () => [goProgram()] },
];

/** Compiled once, because "go run" would compile it for each delivery. */
function goProgram(): string {
  const binary = join(mkdtempSync(join(tmpdir(), 'quoting-go-')), 'verify');
  const { status, stdout, stderr } = spawnSync(program(GO), ['build', '-o', binary, sample('go')], {
    encoding: 'utf8',
    env: { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'off' },
  });
  if (status !== 0) throw new Error(`the Go sample does not compile\n${stdout}${stderr}`);
  return binary;
}

const purpose = 'runs the sample that verifies webhooks';
const PHP = { name: 'php', debianPackage: 'php-cli', purpose };
const GO = { name: 'go', debianPackage: 'golang-go', purpose };
const PYTHON = { name: 'python3', debianPackage: 'python3', purpose };

/** The program of that language; all are looked up together, so that the error names every missing one. */
function program({ name }: { readonly name: string }): string {
  ensurePrograms(PYTHON, PHP, GO);
  return name;
}
