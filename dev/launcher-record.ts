import fs from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { codeOf, Problem } from './problem.ts';
import { commandOf } from './process-table.ts';
import { openDataDir } from './secrets.ts';

/** Records which launcher runs the embedded stack on a data folder and on a port: at most one each. */

/** Part of a launcher's command line (`package.json`). */
export const LAUNCHER = 'dev/run.mjs main';

interface LauncherRecord {
  readonly pid: number;
}

/** Claims the data folder for this process; throws a {@link Problem} if another living launcher holds it. */
export function claimDataDir(dataDir: string): () => void {
  openDataDir(dataDir);
  const claim = claimFile(recordFile(dataDir));
  if ('release' in claim) return claim.release;
  throw new Problem(`El servicio ya está en marcha (proceso ${claim.pid}). Para detenerlo: npm run stop`);
}

/**
 * Claims the API's port for this process, which listens on it seconds later. Undefined if another living launcher holds
 * it.
 */
export function claimPort(port: number): (() => void) | undefined {
  const claim = claimFile(path.join(tmpdir(), `quoting-port-${userInfo().uid}-${port}.json`));
  return 'release' in claim ? claim.release : undefined;
}

/** The pid of the launcher that runs on this data folder. A pid that now belongs to another program is ignored. */
export const runningLauncher = (dataDir: string): number | undefined => holderOf(recordFile(dataDir));

/** Creates a record that only one living launcher can hold. */
function claimFile(file: string): { readonly release: () => void } | LauncherRecord {
  const part = `${file}.${process.pid}`;
  const record: LauncherRecord = { pid: process.pid };
  fs.writeFileSync(part, JSON.stringify(record), { mode: 0o600 });
  try {
    for (;;) {
      const pid = holderOf(file);
      if (pid !== undefined) return { pid };
      try {
        fs.linkSync(part, file); // fails if another start was first
        return { release: () => release(file) };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      fs.rmSync(file, { force: true }); // left by a killed launcher
    }
  } finally {
    fs.rmSync(part, { force: true });
  }
}

function holderOf(file: string): number | undefined {
  try {
    const { pid } = JSON.parse(fs.readFileSync(file, 'utf8')) as LauncherRecord; // ours, see above
    return commandOf(pid)?.includes(LAUNCHER) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function release(file: string): void {
  if (holderOf(file) === process.pid) fs.rmSync(file, { force: true });
}

const recordFile = (dataDir: string) => path.join(dataDir, 'launcher.json');
