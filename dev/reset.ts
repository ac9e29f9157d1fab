import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { runningLauncher } from './launcher-record.ts';
import { dataDir as whereDataIs, shown } from './paths.ts';
import { removeFallbackCluster } from './postgres-binaries.ts';
import { loadSecrets } from './secrets.ts';
import { endRecorded, recordedNames } from './server-process.ts';

/** `npm run reset [-- --yes]`: deletes the data of the embedded stack, nothing else. */

const dataDir = whereDataIs();
process.exitCode = await reset();

async function reset(): Promise<number> {
  if (!fs.existsSync(dataDir)) {
    console.log(`No hay datos que borrar: ${shown(dataDir)}/ no existe.`);
    return 0;
  }
  // DATA_DIR may name any folder: only one that the stack has created is deleted.
  if (!fs.existsSync(path.join(dataDir, 'secrets.json')) && fs.readdirSync(dataDir).length > 0) {
    console.error(`${shown(dataDir)}/ no parece ser de este servicio (no tiene secrets.json); no lo borro.`);
    return 1;
  }
  if (runningLauncher(dataDir) !== undefined) {
    console.error('El servicio está en marcha; deténgalo antes: npm run stop');
    return 1;
  }
  if (!(await isConfirmed())) {
    console.error('No se borró nada. Sin preguntar: npm run reset -- --yes');
    return 1;
  }
  await Promise.all(recordedNames(dataDir).map((name) => endRecorded(dataDir, name)));
  removeFallbackCluster(loadSecrets(dataDir).dataId);
  fs.rmSync(dataDir, { recursive: true, force: true });
  console.log(`${shown(dataDir)}/ borrado. Para empezar de nuevo: npm start`);
  return 0;
}

async function isConfirmed(): Promise<boolean> {
  if (process.argv.includes('--yes')) return true;
  if (!process.stdin.isTTY) return false; // not interactive
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`¿Borrar ${shown(dataDir)}/ con todas sus cotizaciones y correos? (s/N) `);
  terminal.close();
  return /^s[ií]?$/i.test(answer.trim());
}
