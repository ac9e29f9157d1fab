import path from 'node:path';
import { ALLOCATOR, nodeFlags } from './memory.ts';
import { REPOSITORY, shown } from './paths.ts';
import { describeExit, type ServerProcess, startServer } from './server-process.ts';

/** Our own processes: worker and API. Each logs to `logs/<name>.log`. */

export interface OwnProcess {
  readonly name: 'worker' | 'api';
  readonly dataDir: string;
  /** All its settings. Of our environment only the variables that every program needs are added. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the process while it is still starting. */
  readonly signal?: AbortSignal;
  /** The file to run. Default: the entry point beside this code, compiled or source as it is. */
  readonly entry?: string;
  /** Port of the loopback address for a debugger. Default: none. */
  readonly inspectorPort?: number;
}

export const ENTRIES = { worker: 'worker/main.ts', api: 'dev/api.ts' } as const;
const READY_TIMEOUT_MS = 120_000;

/** Starts the worker or the API and waits until it reports readiness. */
export async function startProcess(options: OwnProcess): Promise<ServerProcess> {
  const server = await spawnProcess(options);
  const giveUp = () => void server.stop();
  options.signal?.addEventListener('abort', giveUp);
  if (options.signal?.aborted) giveUp();
  try {
    await untilReady(server);
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', giveUp);
  }
  return server;
}

/** On one machine the worker's metrics port is one above the API's. */
export const workerMetricsPort = (apiPort: number): number => apiPort + 1;

function ownSettings({ name, env }: Pick<OwnProcess, 'name' | 'env'>): Readonly<Record<string, string>> {
  const port = Number(env['METRICS_PORT']);
  return name === 'worker' && port ? { ...env, METRICS_PORT: String(workerMetricsPort(port)) } : env;
}

function spawnProcess(options: OwnProcess): Promise<ServerProcess> {
  const { name, dataDir, env, inspectorPort, entry = entryBeside(name) } = options;
  const { PATH, HOME, TMPDIR, NODE_OPTIONS } = process.env;
  return startServer({
    name,
    dataDir,
    command: process.execPath,
    args: [
      ...nodeFlags(ENTRIES[name]),
      ...(inspectorPort === undefined ? [] : [`--inspect=127.0.0.1:${inspectorPort}`]),
      ...(entry.endsWith('.js') ? [] : ['--import', 'tsx']),
      '--enable-source-maps',
      entry,
    ],
    mark: entry,
    cwd: REPOSITORY,
    // The storage client's warning about the next version's Node would fill the logs.
    env: {
      PATH,
      HOME,
      TMPDIR,
      NODE_OPTIONS,
      ...ALLOCATOR,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      ...ownSettings({ name, env }),
    },
    ipc: true,
  });
}

function entryBeside(name: OwnProcess['name']): string {
  const source = path.join(import.meta.dirname, '..', ENTRIES[name]);
  return import.meta.filename.endsWith('.js') ? source.replace(/\.ts$/, '.js') : source;
}

function untilReady(server: ServerProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${server.name} no respondió en 120 s; vea ${shown(server.logFile)}`)),
      READY_TIMEOUT_MS,
    );
    void server.exited.then((exit) => {
      clearTimeout(timer);
      reject(new Error(describeExit(server, exit)));
    });
    server.child.on('message', (message) => {
      if (typeof message !== 'object' || !('ready' in message) || message.ready !== true) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
