import { Connection } from '@temporalio/client';
import { readMigrateConfig } from '../adapters/config.ts';
import { createLog } from '../adapters/log.ts';
import { connectionOptions, namespaceOptions } from '../adapters/temporal/connection.ts';
import { migrate } from '../db/migrate.ts';
import { ensureTemporal } from './ensure-temporal.ts';

// The migration step: schema and roles of PostgreSQL, namespace and search attributes of Temporal. It runs before API
// and workers of a new version and may run at any time again.
const config = readMigrateConfig();
const log = createLog({ level: config.LOG_LEVEL, name: 'migrate' });

const applied = await migrate({
  admin: config.DATABASE_ADMIN_URL,
  app: config.DATABASE_URL,
  relay: config.DATABASE_RELAY_URL,
});
const connection = await Connection.connect(connectionOptions(config));
try {
  await ensureTemporal({ connection, ...namespaceOptions(config), log });
} finally {
  await connection.close();
}
log.info({ applied }, `${applied.length} migrations applied`);
