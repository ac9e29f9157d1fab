import { isPortFree, freePort, onFreePort } from './ports.ts';
import { messageOf } from './problem.ts';
import { ENTRIES, type OwnProcess, startProcess } from './processes.ts';
import { watchSaves } from './saves.ts';
import { crashOf, type ServerProcess } from './server-process.ts';
import { startProblem } from './start-problem.ts';
import type { Terminal } from './terminal.ts';
import { watchedCode } from './watched-code.ts';

/** `npm run dev`: API and worker restart when a file that they load is saved. */

type Watched = 'api' | 'worker';

/** The folders that each process loads, by the table of docs/architecture.md. */
const SOURCES: Readonly<Record<Watched, readonly string[]>> = {
  api: ['api', 'dev/pages', 'dev/sink', 'portal', 'console', 'adapters', 'db', 'domain', 'workflows/contract.ts'],
  worker: ['worker', 'activities', 'adapters', 'db', 'domain', 'workflows'],
};

/** `.vscode/launch.json` attaches to these ports. */
const INSPECTOR_PORTS: Readonly<Record<Watched, number>> = { api: 9229, worker: 9230 };

/** A process stopped at a breakpoint does not shut down by itself. */
const STOP_GRACE_MS = 1_000;

export interface WatchOptions extends OwnProcess {
  readonly name: Watched;
  readonly label: string;
  readonly signal: AbortSignal;
  readonly terminal: Terminal;
}

export interface WatchedProcess {
  /** Resolves with a description of the exit when the process ends without being stopped. */
  readonly crash: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts a process and restarts it after each save. Throws if the first start fails; a later failure is printed. */
export async function startWatched(options: WatchOptions): Promise<WatchedProcess> {
  const { label, terminal } = options;
  const [saves, code] = await Promise.all([watchSaves(SOURCES[options.name]), watchedCode(ENTRIES[options.name])]);
  const ending = new AbortController();
  const end = AbortSignal.any([options.signal, ending.signal]);
  let reportCrash: (text: string) => void;
  const crash = new Promise<string>((resolve) => {
    reportCrash = resolve;
  });
  let server: ServerProcess | undefined;
  let inspectorPort = INSPECTOR_PORTS[options.name];

  async function onInspectorPort(signal: AbortSignal): Promise<ServerProcess> {
    if (!(await isPortFree(inspectorPort))) {
      const taken = inspectorPort;
      inspectorPort = await freePort();
      terminal.note(`${label}: el puerto ${taken} del depurador está ocupado; uso el ${inspectorPort}`);
    }
    return startProcess({ ...options, signal, inspectorPort, entry: code.file });
  }

  async function start(signal: AbortSignal): Promise<void> {
    await code.rebuild();
    signal.throwIfAborted();
    const started = await onFreePort(() => onInspectorPort(signal));
    server = started;
    void crashOf(started).then((text) => {
      if (server === started) reportCrash(text);
    });
  }

  async function close(): Promise<void> {
    await Promise.all([saves.close(), code.close()]);
  }

  async function stop(graceMs?: number): Promise<void> {
    const stopping = server;
    server = undefined;
    await stopping?.stop(graceMs);
  }

  async function restartOnSaves(): Promise<void> {
    for (let files = await saves.next(end); !end.aborted; files = await saves.next(end)) {
      terminal.begin(label);
      await stop(STOP_GRACE_MS);
      const outdated = saves.pending();
      try {
        await start(AbortSignal.any([end, outdated]));
        terminal.done(label, `${label}: ${listed(files)}`);
      } catch (error) {
        if (end.aborted || outdated.aborted) continue;
        terminal.failed(label, `${label} no arranca: ${startProblem(messageOf(error))}`);
      }
    }
  }

  try {
    await start(end);
  } catch (error) {
    await close();
    throw error;
  }
  const restarts = restartOnSaves();
  return {
    crash,
    stop: async () => {
      ending.abort();
      await restarts;
      await stop();
      await close();
    },
  };
}

const listed = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} y ${others.length} más`;
