import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The errors of promtool for a file of rules; empty when it is valid, or when promtool is unavailable. Uses `PROMTOOL`,
 * else the one on the PATH, else, when root runs the tests on Debian or Ubuntu, one unpacked from the distribution's
 * package: installing that would start a server.
 */
export function promtoolSays(rules: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-promtool-'));
  try {
    const program = process.env['PROMTOOL'] || (isThere('promtool') ? 'promtool' : unpacked(folder));
    if (program === undefined) {
      console.log('      No promtool on this machine: the rules were only read, not checked by Prometheus');
      return '';
    }
    const { status, stdout, stderr } = spawnSync(program, ['check', 'rules', rules], { encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}` || `${program} ended with ${status}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isThere = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

function unpacked(folder: string): string | undefined {
  if (process.getuid?.() !== 0 || !isThere('apt-get') || !isThere('dpkg-deb')) return undefined;
  const inFolder = (command: string, ...args: readonly string[]) =>
    spawnSync(command, [...args], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  const download = () => inFolder('apt-get', '-qq', 'download', 'prometheus').status === 0;
  if (!download()) {
    inFolder('apt-get', '-qq', 'update');
    if (!download()) return undefined;
  }
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  const isUnpacked = inFolder('dpkg-deb', '--extract', file, 'files').status === 0;
  return isUnpacked ? join(folder, 'files/usr/bin/promtool') : undefined;
}
