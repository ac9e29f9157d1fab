import { createHash } from 'node:crypto';
import { readFilesConfig } from '../../adapters/config.ts';
import { createStorage, type Storage } from '../../adapters/storage.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { filesInOrder } from '../../db/reads/compare-files.ts';
import { compareFiles } from '../../activities/housekeeping/stored-files.ts';
import { CommandError, print } from './command.ts';

const PAGE = 1_000;
/** What is younger may be on its way. */
const SETTLED_MS = 10_000;

/**
 * Compares the files of the database with the objects of the storage, and the signed documents with their hashes. Prints a
 * line for each difference: FALTA (with «firma» for what belongs to a signature), SOBRA or CAMBIÓ, and the key. Fails when there is one.
 */
export async function run(): Promise<void> {
  const config = readFilesConfig();
  const dispatcher = connectAsDispatcher({
    url: config.DATABASE_DISPATCHER_URL,
    pool: 1,
    applicationName: 'quoting-files',
  });
  const storage = createStorage(config);
  try {
    const { compared, amiss } = await compareAll({ dispatcher, storage });
    const altered = await alteredDocuments({ dispatcher, storage });
    print(`comparados\t${compared}`);
    const total = amiss + altered;
    if (total > 0) throw new CommandError(`La base de datos y el almacén no coinciden en ${total} archivos.`);
  } finally {
    storage.close();
    await dispatcher.destroy();
  }
}

type Deps = Parameters<typeof compareFiles>[0] & { readonly storage: Storage };

async function compareAll(deps: Deps): Promise<{ compared: number; amiss: number }> {
  let [compared, amiss] = [0, 0];
  let after: string | undefined = '';
  while (after !== undefined) {
    const page = await compareFiles(deps, after, SETTLED_MS);
    for (const { storageKey, isEvidence } of page.missing) print(`FALTA\t${storageKey}${isEvidence ? '\tfirma' : ''}`);
    for (const key of page.unknown) print(`SOBRA\t${key}`);
    compared += page.compared;
    amiss += page.missing.length + page.unknown.length;
    after = page.after;
  }
  return { compared, amiss };
}

/** Reads each signed document: its row says which bytes were signed. */
async function alteredDocuments({ dispatcher, storage }: Deps): Promise<number> {
  let altered = 0;
  let after = '';
  for (;;) {
    const files = await filesInOrder(dispatcher, { after, limit: PAGE });
    for (const { storageKey, sha256, isEvidence } of files) {
      if (!isEvidence || !(await storage.exists(storageKey))) continue;
      const hash = createHash('sha256').update(await storage.get(storageKey)).digest('hex'); // prettier-ignore
      if (hash === sha256) continue;
      print(`CAMBIÓ\t${storageKey}\tfirma`);
      altered += 1;
    }
    const last = files.at(-1);
    if (!last || files.length < PAGE) return altered;
    after = last.storageKey;
  }
}
