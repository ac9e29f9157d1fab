import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';

/** What finding Chromium needs of the machine; tests replace it. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  readonly isProgram: (path: string) => boolean;
  /** Runs a program to its end. */
  readonly run: (program: string, args: readonly string[]) => { readonly ok: boolean; readonly output: string };
  readonly say: (line: string) => void;
}

const LINUX = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const LINUX_FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const CURE = 'Install Chromium, or name one in CHROMIUM_PATH: CHROMIUM_PATH=/path/to/chromium npm test -- browser';

/**
 * The Chromium of this machine: the one that `CHROMIUM_PATH` names, else one in PATH or in a usual place, else one that
 * the package manager installs now, when root runs the tests on Debian or Ubuntu. Throws with the remedy.
 */
export function findChromium(machine: Machine = THIS_MACHINE): string {
  const named = machine.env['CHROMIUM_PATH'];
  if (named) {
    if (machine.isProgram(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which is no program that can be run. ${CURE}`);
  }
  const found = inUsualPlaces(machine);
  if (found) return found;
  if (!machine.isRoot || !machine.isProgram('/usr/bin/apt-get')) {
    throw new Error(`The browser tests need Chromium, and there is none here. ${CURE}`);
  }
  return install(machine);
}

function inUsualPlaces({ platform, env, isProgram }: Machine): string | undefined {
  if (platform === 'darwin') return MAC.find(isProgram);
  const inPath = (env['PATH'] ?? '').split(':').filter(Boolean);
  const folders = [...new Set([...inPath, ...LINUX_FOLDERS])];
  return LINUX.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find(isProgram);
}

function install(machine: Machine): string {
  machine.say('No Chromium on this machine: installing it with apt-get (about 100 MB, once) …');
  const aptGet = (...args: readonly string[]) =>
    machine.run('/usr/bin/apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3', ...args]);
  // A fresh machine has no package lists, and old lists name deleted packages.
  const updated = aptGet('update');
  const installed = aptGet('install', '-y', '--no-install-recommends', 'chromium');
  const found = inUsualPlaces(machine);
  if (found) return found;
  const why = [updated, installed].filter(({ ok }) => !ok).map(({ output }) => output.trim());
  throw new Error(['apt-get could not install Chromium.', ...why, CURE].join('\n'));
}

const THIS_MACHINE: Machine = {
  platform: process.platform,
  env: process.env,
  isRoot: process.getuid?.() === 0,
  isProgram(path) {
    try {
      accessSync(path, constants.X_OK);
      return existsSync(path);
    } catch {
      return false;
    }
  },
  run(program, args) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stdout, stderr, error } = spawnSync(program, [...args], { env, encoding: 'utf8' });
    return { ok: status === 0, output: `${stdout}${stderr}${error?.message ?? ''}` };
  },
  say: (line) => console.log(line),
};
