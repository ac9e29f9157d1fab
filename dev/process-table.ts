import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './problem.ts';

/** Checks of processes that may not be ours: a pid from a file may belong to another program by now. */

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The command line of a running process with its arguments; undefined when there is none. */
export function commandOf(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  try {
    if (process.platform === 'linux') return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

/** Waits until a process has ended; false if it still runs after `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(30);
  }
  return true;
}

/**
 * Ends a process that an earlier run left behind, but only if its command line contains `mark`: by `signal`, and after
 * `graceMs` by SIGKILL. True if there was one.
 */
export async function endLeftover(pid: number, mark: string, signal: NodeJS.Signals, graceMs: number) {
  if (!commandOf(pid)?.includes(mark)) return false;
  send(pid, signal);
  if (await waitUntilGone(pid, graceMs)) return true;
  if (commandOf(pid)?.includes(mark)) send(pid, 'SIGKILL');
  await waitUntilGone(pid, 5_000);
  return true;
}

/** Sends a signal to a process (or, negative, its group) that may have ended. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
