import fs from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { codeOf, Problem } from './problem.ts';
import { commandOf } from './process-table.ts';
import { openDataDir } from './secrets.ts';

/** Who is running the embedded stack, on a data folder and on a port: at most one launcher. */

/** Part of the command line of a launcher (`package.json`). */
export const LAUNCHER = 'dev/run.mjs main';

interface LauncherRecord {
  readonly pid: number;
}

/** Takes the data folder for this process, or throws a {@link Problem} if a living launcher has it. */
export function claimDataDir(dataDir: string): () => void {
  openDataDir(dataDir);
  const claim = claimFile(recordFile(dataDir));
  if ('release' in claim) return claim.release;
  throw new Problem(`El servicio ya está en marcha (proceso ${claim.pid}). Para detenerlo: npm run stop`);
}

/** Takes the API's port for this process, which listens on it seconds later. Undefined if a living launcher has it. */
export function claimPort(port: number): (() => void) | undefined {
  const claim = claimFile(path.join(tmpdir(), `quoting-port-${userInfo().uid}-${port}.json`));
  return 'release' in claim ? claim.release : undefined;
}

/** The pid of the launcher that runs on this data folder. A pid that now belongs to another program does not count. */
export const runningLauncher = (dataDir: string): number | undefined => holderOf(recordFile(dataDir));

/** Makes a record that only one living launcher can have. */
function claimFile(file: string): { readonly release: () => void } | LauncherRecord {
  const part = `${file}.${process.pid}`;
  const record: LauncherRecord = { pid: process.pid };
  fs.writeFileSync(part, JSON.stringify(record), { mode: 0o600 });
  try {
    for (;;) {
      const pid = holderOf(file);
      if (pid !== undefined) return { pid };
      try {
        fs.linkSync(part, file); // fails if another start has come first
        return { release: () => release(file) };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      fs.rmSync(file, { force: true }); // of a launcher that was killed
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
