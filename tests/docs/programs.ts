import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program that a test needs, and its package in Debian and Ubuntu. */
export interface Program {
  readonly name: string;
  readonly debianPackage: string;
  /** Its purpose, for the error message. */
  readonly purpose: string;
  /** Whether it is installed; default: it is on the PATH. */
  readonly isThere?: () => boolean;
}

const APT_GET = '/usr/bin/apt-get';

/**
 * Makes sure that these programs are there. Installs missing ones when root runs the tests on Debian or Ubuntu;
 * otherwise throws, and names all of them, why they were not installed, and the command to install them.
 */
export function ensurePrograms(...programs: readonly Program[]): void {
  const missing = programs.filter((program) => !isThere(program));
  if (missing.length === 0) return;
  const obstacle = obstacleToInstalling();
  if (obstacle !== undefined) throw new Error(missingText(missing, obstacle));
  const packages = packagesOf(missing);
  console.log(`Missing on this machine, being installed with apt-get: ${packages} …`);
  const outputs = [aptGet('update'), aptGet('install', '-y', '--no-install-recommends', ...packages.split(' '))];
  const still = missing.filter((program) => !isThere(program));
  if (still.length > 0) throw new Error(missingText(still, `apt-get could not:\n${outputs.join('\n').trim()}`));
}

const isThere = ({ name, isThere: asked }: Program): boolean =>
  asked?.() ?? spawnSync('sh', ['-c', 'command -v "$0"', name]).status === 0;

/** Why nothing can be installed from here; undefined if it can. */
export function obstacleToInstalling({
  uid = process.getuid?.(),
  hasAptGet = existsSync(APT_GET),
}: { readonly uid?: number | undefined; readonly hasAptGet?: boolean } = {}): string | undefined {
  if (!hasAptGet) return 'this is no Debian or Ubuntu: install them your own way';
  if (uid !== 0) return 'only root may install, and the tests do not run as root';
  return undefined;
}

const packagesOf = (programs: readonly Program[]): string =>
  [...new Set(programs.map(({ debianPackage }) => debianPackage))].join(' ');

/** The error message for missing programs. */
export function missingText(missing: readonly Program[], obstacle: string): string {
  const list = missing.map(({ name, purpose }) => `  ${name}: ${purpose}`).join('\n');
  return `Missing on this machine:\n${list}\nNot installed: ${obstacle}\nOnce: sudo apt-get install ${packagesOf(missing)}`;
}

function aptGet(...args: readonly string[]): string {
  // Another installation may hold the lock for a while.
  const { stderr, error } = spawnSync(
    APT_GET,
    ['-qq', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3', ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  );
  return error ? String(error) : stderr;
}
