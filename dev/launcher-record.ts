import fs from 'node:fs';
import path from 'node:path';
import { codeOf, Problem } from './problem.ts';
import { commandOf } from './process-table.ts';
import { openDataDir } from './secrets.ts';

/** Who is running the embedded stack on a data folder: at most one launcher. */

/** Part of the command line of a launcher (`package.json`). */
export const LAUNCHER = 'dev/run.mjs main';

interface LauncherRecord {
  readonly pid: number;
}

/** Takes the data folder for this process, or throws a {@link Problem} if a living launcher has it. */
export function claimDataDir(dataDir: string): () => void {
  openDataDir(dataDir);
  const file = recordFile(dataDir);
  const part = `${file}.${process.pid}`;
  const record: LauncherRecord = { pid: process.pid };
  fs.writeFileSync(part, JSON.stringify(record));
  try {
    for (;;) {
      const pid = runningLauncher(dataDir);
      if (pid !== undefined) {
        throw new Problem(`El servicio ya está en marcha (proceso ${pid}). Para detenerlo: npm run stop`);
      }
      try {
        fs.linkSync(part, file); // fails if another start has come first
        return () => release(dataDir);
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      fs.rmSync(file, { force: true }); // of a launcher that was killed
    }
  } finally {
    fs.rmSync(part, { force: true });
  }
}

/** The pid of the launcher that runs on this data folder. A pid that now belongs to another program does not count. */
export function runningLauncher(dataDir: string): number | undefined {
  try {
    const { pid } = JSON.parse(fs.readFileSync(recordFile(dataDir), 'utf8')) as LauncherRecord; // ours, see above
    return commandOf(pid)?.includes(LAUNCHER) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function release(dataDir: string): void {
  if (runningLauncher(dataDir) === process.pid) fs.rmSync(recordFile(dataDir), { force: true });
}

const recordFile = (dataDir: string) => path.join(dataDir, 'launcher.json');
