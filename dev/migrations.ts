import path from 'node:path';
import { destination } from 'pino';
import { runMigrationStep } from '../ops/migration-step.ts';
import { readMigrateConfig } from '../adapters/config.ts';
import { createLog } from '../adapters/log.ts';

/** Runs the migrations with the settings of a stack; their log is `logs/migrate.log`. Returns how many were applied. */
export async function runMigrations(dataDir: string, env: Readonly<Record<string, string>>): Promise<number> {
  const config = readMigrateConfig(env);
  const file = destination({ dest: path.join(dataDir, 'logs', 'migrate.log'), mkdir: true, mode: 0o600, sync: true });
  const applied = await runMigrationStep(config, createLog({ level: config.LOG_LEVEL, name: 'migrate' }, file));
  return applied.length;
}
