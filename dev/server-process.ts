import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shown } from './paths.ts';
import { endLeftover, send } from './process-table.ts';

/** A server that runs as a child process: it has a log file and a recorded pid, and can always be ended. */

export interface ServerOptions {
  /** Short name: the log is `logs/<name>.log`, the record `pids/<name>.json`. */
  readonly name: string;
  readonly dataDir: string;
  readonly command: string;
  readonly args: readonly string[];
  /** A part of the command line that only this server has, by which a leftover of a killed run is recognised. */
  readonly mark: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** Whether to open an IPC channel; the child can then send messages, and notices when we have ended. */
  readonly ipc?: boolean;
  readonly stopSignal?: NodeJS.Signals;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  readonly hasExited: () => boolean;
  /** The last lines of its log in this run. */
  readonly lastLines: (count?: number) => string;
  /** Asks it to end, and kills it after `graceMs`. Resolves when it has ended; idempotent. */
  readonly stop: (graceMs?: number) => Promise<void>;
  /** Kills it and its children immediately. */
  readonly kill: () => void;
}

/** How a process ended, as the end of a sentence. */
export const mannerOf = ({ code, signal }: Exit): string =>
  signal ? `por la señal ${signal}` : `con el código ${code}`;

/** Describes a process that ended unexpectedly: its exit, and its last log lines. */
export const describeExit = (server: ServerProcess, exit: Exit): string =>
  `${server.name} terminó ${mannerOf(exit)}. Sus últimas líneas (${shown(server.logFile)}):\n${server.lastLines()}`;

/** Resolves when the process ends, with the description of its exit. */
export const crashOf = async (server: ServerProcess): Promise<string> => describeExit(server, await server.exited);

const READY_TIMEOUT_MS = 60_000;

/**
 * Polls until the server is ready. When it ends before, or is not ready within a minute, stops it and throws with its
 * last lines.
 */
export async function untilReady(server: ServerProcess, isReady: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady())) {
    const problem = server.hasExited() ? 'ended while starting' : 'was not ready after 60 s';
    if (server.hasExited() || Date.now() > deadline) {
      await server.stop();
      throw new Error(`${server.name} ${problem}; ${server.logFile}:\n${server.lastLines()}`);
    }
    await sleep(30);
  }
}

const MAX_LOG_BYTES = 10 << 20;

const running = new Set<ServerProcess>();

/** Kills every server of this process immediately: for the second Ctrl-C. */
export function killAllServers(): void {
  for (const server of running) server.kill();
}

interface PidRecord {
  readonly pid: number;
  readonly mark: string;
  readonly signal: NodeJS.Signals;
}

/** Starts the server in its own process group: a terminal's Ctrl-C must not reach it before the app has drained. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { name, dataDir, stopSignal = 'SIGTERM' } = options;
  await endRecorded(dataDir, name);

  const logFile = path.join(dataDir, 'logs', `${name}.log`);
  const log = openLog(logFile);
  const child = spawn(options.command, options.args, {
    env: options.env,
    detached: true,
    stdio: options.ipc ? ['ignore', log.fd, log.fd, 'ipc'] : ['ignore', log.fd, log.fd],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  });
  fs.closeSync(log.fd);

  let gone = false;
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      gone = true;
      resolve({ code, signal });
    });
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${name} could not be started: ${error.message}`)));
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
  child.on('error', () => undefined); // the child may just have ended

  const pidFile = recordFile(dataDir, name);
  fs.mkdirSync(path.dirname(pidFile), { recursive: true });
  const record: PidRecord = { pid, mark: options.mark, signal: stopSignal };
  fs.writeFileSync(pidFile, JSON.stringify(record));
  void exited.then(() => forget(pidFile, pid));

  // The group outlives its leader if the server has children.
  const kill = () => send(-pid, 'SIGKILL');
  let stopping: Promise<void> | undefined;
  const stop = async (graceMs: number) => {
    if (gone) return;
    send(pid, stopSignal);
    const timer = setTimeout(kill, graceMs);
    await exited;
    clearTimeout(timer);
  };

  const server: ServerProcess = {
    name,
    pid,
    logFile,
    child,
    exited,
    kill: () => {
      if (!gone) kill();
    },
    hasExited: () => gone,
    lastLines: (count = 15) => lastLines(logFile, log.from, count),
    stop: (graceMs = 15_000) => (stopping ??= stop(graceMs)),
  };
  running.add(server);
  void exited.then(() => running.delete(server));
  return server;
}

/** Ends what an earlier, killed run left behind under this name. Returns whether there was anything. */
export async function endRecorded(dataDir: string, name: string): Promise<boolean> {
  const file = recordFile(dataDir, name);
  let record: PidRecord;
  try {
    // Written by startServer. A truncated file has no valid pid.
    record = JSON.parse(fs.readFileSync(file, 'utf8')) as PidRecord;
  } catch {
    return false;
  }
  const ended = await endLeftover(record.pid, record.mark, record.signal, 15_000);
  fs.rmSync(file, { force: true });
  return ended;
}

/** Names of the servers with a record in this data folder. */
export function recordedNames(dataDir: string): string[] {
  try {
    const files = fs.readdirSync(path.join(dataDir, 'pids')).filter((file) => file.endsWith('.json'));
    return files.map((file) => path.basename(file, '.json'));
  } catch {
    return [];
  }
}

const recordFile = (dataDir: string, name: string) => path.join(dataDir, 'pids', `${name}.json`);

function forget(file: string, pid: number): void {
  try {
    if ((JSON.parse(fs.readFileSync(file, 'utf8')) as PidRecord).pid === pid) fs.rmSync(file);
  } catch {
    // the data folder was deleted
  }
}

function openLog(file: string): { fd: number; from: number } {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) fs.renameSync(file, `${file}.1`);
  // Logs of requests may hold personal data.
  return { fd: fs.openSync(file, 'a', 0o600), from: size > MAX_LOG_BYTES ? 0 : size };
}

/** The first line of a program's failure; a long trace may follow. */
const CAUSE = /^panic: |^fatal error: |\bFATAL: |^\w*Error: /;

function lastLines(file: string, from: number, count: number): string {
  try {
    const lines = fs
      .readFileSync(file)
      .subarray(from)
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => !/^\s+at |^\s+\w+: undefined,?$/.test(line)); // stacks and empty fields would hide the message
    const last = lines.slice(-count);
    const cause = lines.slice(0, -count).find((line) => CAUSE.test(line));
    return (cause === undefined ? last : [cause, '…', ...last])
      .map((line) => line.replaceAll(/(\bpassword\s+)'[^']*'/gi, "$1'…'")) // a failed statement is quoted in full
      .join('\n');
  } catch {
    return '';
  }
}
