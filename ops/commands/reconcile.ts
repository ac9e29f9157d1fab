import { Client, Connection } from '@temporalio/client';
import { readReconcileConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { clientOptions, namespaceOptions } from '../../adapters/temporal/connection.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { reconcileAlone } from '../../worker/reconciler.ts';
import { CommandError, print } from './command.ts';

/** How long the command waits for a worker's current pass before its own. */
const PATIENCE_MS = 5 * 60_000;

/** Starts every workflow that should be running and is not. Prints how many, by workflow, as JSON. */
export async function run(): Promise<void> {
  const config = readReconcileConfig();
  const { DATABASE_DISPATCHER_URL: databaseUrl } = config;
  const knex = connectAsDispatcher({ url: databaseUrl, pool: 2, applicationName: 'quoting-reconcile' });
  const connection = Connection.lazy(clientOptions(config));
  const temporal = new Client({ connection, ...namespaceOptions(config) });
  // Standard output is for the result.
  const log = createLog({ level: config.LOG_LEVEL, name: 'reconcile' }, process.stderr);
  try {
    const reconciled = await reconcileAlone(
      { knex, databaseUrl, temporal, connection, ...namespaceOptions(config), log },
      { olderThanSeconds: 0, patienceMs: PATIENCE_MS },
    );
    if (!reconciled) throw new CommandError('Otro proceso lleva más de cinco minutos comparando; inténtelo más tarde.');
    print(JSON.stringify(reconciled.started));
    if (reconciled.failed > 0) throw new CommandError(`No se pudieron arrancar ${reconciled.failed}; vea lo anterior.`);
  } finally {
    await connection.close();
    await knex.destroy();
  }
}
