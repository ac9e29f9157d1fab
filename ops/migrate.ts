import { readMigrateConfig } from '../adapters/config.ts';
import { createLog } from '../adapters/log.ts';
import { runMigrationStep } from './migration-step.ts';

// The entry point of `npm run migrate`.
const config = readMigrateConfig();
await runMigrationStep(config, createLog({ level: config.LOG_LEVEL, name: 'migrate' }));
