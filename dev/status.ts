import { runningLauncher } from './launcher-record.ts';
import { dataDir as whereDataIs } from './paths.ts';
import { readStackFile } from './stack-file.ts';
import { table } from './table.ts';

/** `npm run status [-- --json]`: the addresses of the running stack. Exit code 1 when none is running. */

const dataDir = whereDataIs();
const running = runningLauncher(dataDir) !== undefined;
const stack = running ? readStackFile(dataDir) : undefined; // a killed launcher leaves the file behind

if (stack) {
  console.log(process.argv.includes('--json') ? JSON.stringify(stack, null, 2) : `\n${table(stack)}\n`);
} else {
  console.error(running ? 'El servicio está arrancando.' : 'El servicio no está en marcha. Para arrancarlo: npm start');
  process.exitCode = 1;
}
