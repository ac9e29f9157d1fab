import { Connection } from '@temporalio/client';
import type { MigrateConfig } from '../adapters/config.ts';
import type { Log } from '../adapters/log.ts';
import { connectionOptions, namespaceOptions } from '../adapters/temporal/connection.ts';
import { migrate } from '../db/migrate.ts';
import { ensureTemporal } from '../worker/ensure-temporal.ts';

/**
 * Schema and roles of PostgreSQL, namespace and search attributes of Temporal. It runs before API and workers of a new
 * version and may run again at any time. Returns the names of the migrations that were new.
 */
export async function runMigrationStep(config: MigrateConfig, log: Log): Promise<readonly string[]> {
  const applied = await migrate({
    admin: config.DATABASE_ADMIN_URL,
    app: config.DATABASE_URL,
    dispatcher: config.DATABASE_DISPATCHER_URL,
  });
  const connection = await Connection.connect(connectionOptions(config));
  try {
    await ensureTemporal({ connection, ...namespaceOptions(config), log });
  } finally {
    await connection.close();
  }
  log.info({ applied }, `${applied.length} migrations applied`);
  return applied;
}
