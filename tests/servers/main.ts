import fs from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../dev/process-table.ts';
import { openDataDir } from '../../dev/secrets.ts';
import { endRecorded, recordedNames } from '../../dev/server-process.ts';
import { runningServers, SERVER_PARTS, sharedFolder, startTestServers, writeRecord } from './servers.ts';

/** `npm run test:servers`: keeps the servers of the tests running until Ctrl-C. */

const folder = sharedFolder();
const running = await runningServers();
if (running && isAlive(running.pid)) {
  console.log(`The test servers are running already (process ${running.pid}).`);
  process.exit(0);
}
// A killed run may have left servers behind.
for (const name of recordedNames(folder)) await endRecorded(folder, name);
fs.rmSync(folder, { recursive: true, force: true });
openDataDir(folder);
const { servers, services } = await startTestServers(folder, SERVER_PARTS, { isTemporary: false });
writeRecord(path.join(folder, 'servers.json'), servers);
console.log('PostgreSQL, Temporal and storage are ready for the tests: npx mocha tests/api/clients.list.test.ts');
console.log('Ctrl-C stops them.');

const parts = [services.postgres, services.temporal, services.storage].flatMap((part) => (part ? [part.process] : []));
const signals = (['SIGINT', 'SIGTERM'] as const).map(
  (signal) => new Promise<string>((resolve) => process.once(signal, () => resolve(''))),
);
const exits = parts.map(async (part) => {
  await part.exited;
  return `${part.name} ended:\n${part.lastLines()}`;
});
const crash = await Promise.race([...signals, ...exits]);
if (crash) console.error(crash);
await services.stop();
fs.rmSync(folder, { recursive: true, force: true });
process.exit(crash ? 1 : 0);
