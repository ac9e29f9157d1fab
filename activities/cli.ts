import { Client, Connection } from '@temporalio/client';
import { readReconcileConfig } from '../adapters/config.ts';
import { createLog } from '../adapters/log.ts';
import { clientOptions } from '../adapters/temporal/connection.ts';
import { connect } from '../db/database.ts';
import { reconcileAlone } from './reconciler.ts';

// Commands for whoever runs the service: `npm run quoting -- <command>`.

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = { reconcile: runReconcile };
const [name = ''] = process.argv.slice(2);
const command = COMMANDS[name];
if (command) {
  await command();
} else {
  process.stderr.write(`uso: npm run quoting -- <${Object.keys(COMMANDS).join('|')}>\n`);
  process.exitCode = 2;
}

/** Starts every run that should be under way and is not, now. Prints how many, by workflow. */
async function runReconcile(): Promise<void> {
  const config = readReconcileConfig();
  const { DATABASE_RELAY_URL: databaseUrl, TEMPORAL_NAMESPACE: namespace } = config;
  const knex = connect({ url: databaseUrl, pool: 2, applicationName: 'quoting-reconcile' });
  const connection = Connection.lazy(clientOptions(config));
  const temporal = new Client({ connection, namespace });
  const log = createLog({ level: config.LOG_LEVEL, name: 'reconcile' });
  try {
    const restarted = await reconcileAlone(
      { knex, databaseUrl, temporal, connection, namespace, log },
      { olderThanSeconds: 0 },
    );
    const text = restarted ? JSON.stringify(restarted) : 'otro proceso ya lo está haciendo';
    process.stdout.write(`${text}\n`);
  } finally {
    await connection.close();
    await knex.destroy();
  }
}
