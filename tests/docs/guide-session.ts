import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { type Example, examplesOf, guideNames, type Language } from './guides.ts';
import { ensurePrograms, type Program } from './programs.ts';

/** Runs the programs of guides as a reader does: one process each, with the variables that earlier ones exported. */

export type Environment = Readonly<Record<string, string>>;

export interface Ran {
  readonly output: string;
  /** With the variables that it exported. */
  readonly env: Environment;
}

interface Tool {
  readonly program: Program;
  /** The file's name for the example at that position, and its content. */
  readonly file: (position: number, text: string) => readonly [name: string, content: string];
  readonly command: (file: string, text: string) => readonly string[];
  /** The command of a program that listens, where it differs. */
  readonly listen?: (file: string, port: number) => readonly string[];
}

const purpose = 'runs the examples of the guides';
const TOOLS: Readonly<Record<Language, Tool>> = {
  sh: {
    program: { name: 'curl', debianPackage: 'curl', purpose },
    // The environment after the commands is written to the third pipe.
    file: (position, text) => [`${position}.sh`, `set -euo pipefail\n${text}\nenv -0 >&3\n`],
    command: (file) => ['bash', file],
  },
  ts: {
    program: { name: process.execPath, debianPackage: 'nodejs', purpose },
    file: (position, text) => [`${position}.mjs`, transformSync(text, { loader: 'ts', target: 'es2022' }).code],
    command: (file) => [process.execPath, file],
  },
  python: {
    program: { name: 'python3', debianPackage: 'python3', purpose },
    file: (position, text) => [`${position}.py`, text],
    command: (file) => ['python3', file],
  },
  php: {
    program: { name: 'php', debianPackage: 'php-cli', purpose },
    file: (position, text) => [`${position}.php`, text],
    command: (file) => ['php', file],
    listen: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  },
  go: {
    program: { name: 'go', debianPackage: 'golang-go', purpose },
    file: (position, text) => [`${position}.go`, text],
    command: (_file, text) => [goProgram(text)],
  },
};

/** The examples of a guide as files of one language, compiled where that language needs it. */
export interface Session extends Disposable {
  run(example: Example, env: Environment): Promise<Ran>;
  /** Starts a program that listens on `port`. */
  start(example: Example, env: Environment, port: number): Started;
}

export interface Started extends AsyncDisposable {
  output(): string;
  exitCode(): number | null;
}

/** An example without a program in that language runs as a shell command. */
export const languageFor = ({ programs }: Example, language: Language): Language | undefined =>
  programs[language] ? language : programs.sh ? 'sh' : undefined;

/** Throws if the language is not installed and cannot be. */
export function openSession(examples: readonly Example[], language: Language): Session {
  ensurePrograms(TOOLS.sh.program, TOOLS[language].program);
  const folder = mkdtempSync(join(tmpdir(), `quoting-guides-${language}-`));
  const commands = new Map<Example, Pick<Tool, 'listen'> & { file: string; command: readonly string[] }>();
  for (const [position, example] of examples.entries()) {
    const own = languageFor(example, language);
    const text = own && example.programs[own]?.text;
    if (own === undefined || text === undefined) continue;
    const { file, command, listen } = TOOLS[own];
    const [name, content] = file(position, text);
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    commands.set(example, { file: path, command: command(path, text), ...(listen && { listen }) });
  }
  const commandOf = (example: Example) => {
    const found = commands.get(example);
    if (!found) throw new Error(`${example.name} has no program in ${language}`);
    return found;
  };
  return {
    run: (example, env) => run(example.name, commandOf(example).command, { env, folder }),
    start(example, env, port) {
      const { command, listen, file } = commandOf(example);
      return start(listen?.(file, port) ?? command, { env: { ...env, PORT: String(port) }, folder });
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The folder of all guides' Go programs, by `goProgram`; undefined before the first. */
let goFolder: string | undefined;

/** Path of the program, compiled with those of all guides: one run checks and loads the standard library once. */
function goProgram(text: string): string {
  goFolder ??= compileGo(
    guideNames().flatMap((name) => examplesOf(name).flatMap(({ programs }) => programs.go?.text ?? [])),
  );
  return join(goFolder, 'bin', nameOf(text));
}

const nameOf = (text: string): string => `program-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;

function compileGo(texts: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-guides-go-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const text of texts) {
    mkdirSync(join(folder, nameOf(text)), { recursive: true });
    writeFileSync(join(folder, nameOf(text), 'main.go'), `${text}\n`);
  }
  writeFileSync(join(folder, 'go.mod'), 'module guides\n\ngo 1.22\n');
  mkdirSync(join(folder, 'bin'));
  const go = (...args: string[]) => {
    // oxlint-disable-next-line node/no-process-env -- the compiler's cache is below the home folder
    const { status, stdout, stderr } = spawnSync('go', args, { cwd: folder, encoding: 'utf8', env: process.env });
    if (status !== 0) throw new Error(`go ${args[0]} failed\n${stdout}${stderr}`);
  };
  const { stdout: unformatted } = spawnSync('gofmt', ['-l', '.'], { cwd: folder, encoding: 'utf8' });
  if (unformatted !== '') throw new Error(`not in the form of gofmt: ${unformatted}`);
  go('vet', './...');
  // Without tables for debuggers, which are half of the linker's work.
  go('build', '-ldflags=-s -w', '-o', 'bin/', './...');
  return folder;
}

interface Place {
  readonly env: Environment;
  readonly folder: string;
}

function launch([program = '', ...args]: readonly string[], { env, folder }: Place): ChildProcess {
  return spawn(program, args, {
    cwd: folder,
    // oxlint-disable-next-line node/no-process-env -- the programs' own PATH and HOME
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

async function run(name: string, command: readonly string[], place: Place): Promise<Ran> {
  const child = launch(command, place);
  const texts = ['', '', ''];
  for (const [at, stream] of [child.stdout, child.stderr, child.stdio[3]].entries()) {
    // The third pipe is readable, which its type does not say.
    (stream as NodeJS.ReadableStream).on('data', (chunk: Buffer) => (texts[at] += chunk.toString()));
  }
  const [code]: unknown[] = await once(child, 'close');
  const [output = '', errors = '', environment = ''] = texts;
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}\n${output}\n${errors}`);
  const printed = output.matchAll(/^export (\w+)=(.*)$/gm);
  const entries = environment.split('\0').map((entry) => entry.split(/=(.*)/s).slice(0, 2));
  return {
    output: output.trim(),
    env: {
      ...place.env,
      ...Object.fromEntries(entries.filter(([variable = '']) => /^[A-Z_]+$/.test(variable))),
      ...Object.fromEntries([...printed].map(([, variable, value]) => [variable, value])),
    },
  };
}

function start(command: readonly string[], place: Place): Started {
  const child = launch(command, place);
  const closed = once(child, 'close');
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    output: () => output,
    exitCode: () => child.exitCode,
    async [Symbol.asyncDispose]() {
      child.kill();
      await closed;
    },
  };
}
