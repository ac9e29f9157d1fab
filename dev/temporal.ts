import path from 'node:path';
import fs from 'node:fs';
import { Connection } from '@temporalio/client';
import { freePorts } from './ports.ts';
import { openDataDir } from './secrets.ts';
import { type ServerProcess, startServer, untilReady } from './server-process.ts';
import { attributes } from '../workflows/contract.ts';
import { ensureTool, type Report } from './tools.ts';

/** An embedded Temporal server with its UI: SQLite in a file, for development and tests only. */

export interface TemporalOptions {
  readonly dataDir: string;
  readonly port?: number;
  readonly uiPort?: number;
  /** Whether to omit the UI. */
  readonly headless?: boolean;
  /** Whether new namespaces are soon known, and CPU time matters more than memory. Only for new servers. */
  readonly forTests?: boolean;
  readonly report?: Report;
}

export interface Temporal {
  /** host:port of the frontend. */
  readonly address: string;
  /** Origin of the UI; undefined without one. */
  readonly uiUrl: string | undefined;
  readonly process: ServerProcess;
  readonly stop: () => Promise<void>;
}

/** Settings of every server that we start, where they differ from its defaults. */
export const SERVER_SETTINGS = {
  // Without it a busy business could delay the executions of others.
  'matching.enableFairness': true,
  // Without it a stopping worker loses more of the tasks that are being sent to it, and their executions wait for
  // seconds.
  'frontend.enableCancelWorkerPollsOnShutdown': true,
  // A tenth of the server's CPU. Attributes are registered before anything is started, so it need not look for new ones.
  'system.forceSearchAttributesCacheRefreshOnRead': false,
} as const;

/** Less CPU time while many workers start and end, each with a namespace of its own. */
const TEST_SETTINGS = {
  // By default some seconds.
  'system.namespaceCacheRefreshInterval': '"250ms"',
  // By default four. A server with stored tasks must not get fewer: those in the others would wait forever.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
} as const;
/** How far Go's heap may grow before garbage is collected, in percent: an eighth of the server's CPU time. */
const TEST_ENVIRONMENT = { GOGC: '400' } as const;

/** Starts the server on its stored state and waits until its namespace `default` responds. */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const dataDir = path.resolve(options.dataDir);
  openDataDir(dataDir);
  const command = await ensureTool('temporal', options.report);
  const state = path.join(dataDir, 'temporal', 'temporal.db');
  fs.mkdirSync(path.dirname(state), { recursive: true, mode: 0o700 });

  const settings = { ...SERVER_SETTINGS, ...(options.forTests && TEST_SETTINGS) };
  const [port, httpPort, metricsPort, uiPort] = await portsFor(options);
  const server = await startServer({
    name: 'temporal',
    dataDir,
    command,
    args: [
      ['server', 'start-dev'],
      ['--ip', '127.0.0.1', '--port', String(port), '--http-port', String(httpPort)],
      ['--metrics-port', String(metricsPort)],
      options.headless ? ['--headless'] : ['--ui-ip', '127.0.0.1', '--ui-port', String(uiPort)],
      ['--db-filename', state, '--log-level', 'error'],
      // Write-ahead logging doubles the throughput of SQLite.
      ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
      Object.entries(settings).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
      Object.values(attributes).flatMap(({ name, type }) => ['--search-attribute', `${name}=${cliType(type)}`]),
    ].flat(),
    mark: state,
    // Otherwise the CLI would read a profile file of the user, and look for a newer version of itself.
    env: {
      PATH: process.env['PATH'],
      HOME: dataDir,
      TEMPORAL_DISABLE_CONFIG_FILE: '1',
      TZ: 'UTC',
      ...(options.forTests && TEST_ENVIRONMENT),
    },
    stopSignal: 'SIGINT',
  });

  const address = `127.0.0.1:${port}`;
  await untilReady(server, () => isReady(address));
  return {
    address,
    uiUrl: options.headless ? undefined : `http://127.0.0.1:${uiPort}`,
    process: server,
    stop: () => server.stop(),
  };
}

/** As the CLI spells it: Keyword, Int, Datetime. */
const cliType = (type: string): string => `${type.charAt(0)}${type.slice(1).toLowerCase()}`;

async function portsFor({ port, uiPort }: TemporalOptions): Promise<[number, number, number, number]> {
  const [first = 0, second = 0, third = 0, fourth = 0] = await freePorts(4);
  return [port ?? first, second, third, uiPort ?? fourth];
}

async function isReady(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 1_000 });
    try {
      await connection.withDeadline(Date.now() + 2_000, () =>
        connection.workflowService.describeNamespace({ namespace: 'default' }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
