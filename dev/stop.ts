import { LAUNCHER, runningLauncher } from './launcher-record.ts';
import { dataDir as whereDataIs } from './paths.ts';
import { endLeftover } from './process-table.ts';
import { endRecorded, recordedNames } from './server-process.ts';
import { removeStackFile } from './stack-file.ts';

/** `npm run stop`: stops the running stack from another terminal, and ends what a killed one left behind. */

const GRACE_MS = 45_000; // the launcher itself gives each process 15 s

const dataDir = whereDataIs();
const pid = runningLauncher(dataDir);
if (pid !== undefined) {
  console.log('Deteniendo…');
  await endLeftover(pid, LAUNCHER, 'SIGTERM', GRACE_MS);
}
const left = await Promise.all(recordedNames(dataDir).map((name) => endRecorded(dataDir, name)));
removeStackFile(dataDir);
console.log(pid !== undefined || left.includes(true) ? 'Detenido.' : 'No había nada en marcha.');
