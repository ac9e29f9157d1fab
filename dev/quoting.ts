import { runningLauncher } from './launcher-record.ts';
import { dataDir as whereDataIs } from './paths.ts';
import { readSettings, type Settings } from './stack-file.ts';

/**
 * `npm run quoting -- <command>` in a checkout: the service's commands, with the settings of the local stack. If the environment names another PostgreSQL or Temporal, none of the local settings are used: a command must never mix the two.
 */
const NAMES = [
  'DATABASE_URL',
  'DATABASE_DISPATCHER_URL',
  'DATABASE_ADMIN_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
];

const dataDir = whereDataIs();
const running = runningLauncher(dataDir) === undefined ? undefined : readSettings(dataDir); // left by a killed launcher
if (running && isMeant(running)) {
  for (const [name, value] of Object.entries(running)) process.env[name] ||= value;
}

await import('../ops/cli.ts');

const isNamed = NAMES.some((name) => process.env[name]);
const [noun, verb] = process.argv.slice(2);
const actsOnService = !(noun === 'secrets' && verb === 'make');
if (process.exitCode === 1 && actsOnService && !running && !isNamed) {
  console.error('\nEl servicio no está en marcha aquí. Para arrancarlo: npm start');
}

function isMeant(settings: Settings): boolean {
  return NAMES.every((name) => !process.env[name] || process.env[name] === settings[name]);
}
