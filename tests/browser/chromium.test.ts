import assert from 'node:assert/strict';
import { findChromium, type Machine } from './chromium.ts';

/** A machine with these programs; installing adds another. */
function machine({
  programs = [] as readonly string[],
  installs = undefined as string | undefined,
  ...given
}: Partial<Machine> & { programs?: readonly string[]; installs?: string | undefined } = {}) {
  const present = new Set(programs);
  const ran: string[] = [];
  const said: string[] = [];
  const made: Machine = {
    platform: 'linux',
    env: { PATH: '/usr/local/bin:/usr/bin' },
    isRoot: false,
    isProgram: (path) => present.has(path),
    run(program, args) {
      ran.push([program, ...args].join(' '));
      if (args.includes('install') && installs) present.add(installs);
      return installs ? { ok: true, output: '' } : { ok: false, output: 'E: Unable to locate package chromium' };
    },
    say: (line) => said.push(line),
    ...given,
  };
  return { made, ran, said };
}

const APT = '/usr/bin/apt-get';

describe('findChromium', () => {
  it('prefers CHROMIUM_PATH to any other', () => {
    const env = { CHROMIUM_PATH: '/opt/mine/chrome', PATH: '/usr/bin' };
    const { made } = machine({ env, programs: ['/opt/mine/chrome', '/usr/bin/chromium'] });

    assert.equal(findChromium(made), '/opt/mine/chrome');
  });

  it('throws when CHROMIUM_PATH names no program, instead of using another', () => {
    const { made } = machine({ env: { CHROMIUM_PATH: '/no/such' }, programs: ['/usr/bin/chromium'] });

    assert.throws(() => findChromium(made), /CHROMIUM_PATH names \/no\/such/);
  });

  it('finds Chromium in PATH, in the usual places of Linux, and in the applications of macOS', () => {
    const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
    const places: [Partial<Machine>, string][] = [
      [{ env: { PATH: '/nix/bin' } }, '/nix/bin/chromium'],
      [{ env: {} }, '/usr/bin/chromium-browser'],
      [{ env: {} }, '/opt/google/chrome/google-chrome'],
      [{ platform: 'darwin', env: {} }, chrome],
    ];

    const found = places.map(([given, path]) => findChromium(machine({ ...given, programs: [path] }).made));

    assert.deepEqual(
      found,
      places.map(([, path]) => path),
    );
  });

  it('installs Chromium with apt-get as root, says so in one line, and uses it', () => {
    const { made, ran, said } = machine({ isRoot: true, programs: [APT], installs: '/usr/bin/chromium' });

    assert.equal(findChromium(made), '/usr/bin/chromium');
    assert.deepEqual(ran, [
      `${APT} -qq -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 update`,
      `${APT} -qq -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 install -y --no-install-recommends chromium`,
    ]);
    assert.equal(said.length, 1);
  });

  it('throws with the message of apt-get and the remedy when installing fails', () => {
    const { made } = machine({ isRoot: true, programs: [APT] });

    assert.throws(() => findChromium(made), /Unable to locate package chromium[\s\S]*CHROMIUM_PATH=/);
  });

  it('throws with the remedy, and installs nothing, for another user than root', () => {
    const { made, ran } = machine({ programs: [APT] });

    assert.throws(() => findChromium(made), /there is none here\. Install Chromium, or name one in CHROMIUM_PATH/);
    assert.deepEqual(ran, []);
  });
});
