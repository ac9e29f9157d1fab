import { execFileSync } from 'node:child_process';
import { send } from '../../dev/process-table.ts';

/** Suspends a server: it keeps its connections and accepts new ones, and never responds. */

/** Suspends a process and its children, which may be in process groups of their own (PostgreSQL's are). */
export function pauseProcess(pid: number): void {
  // The parent first, so that it starts no more children.
  send(pid, 'SIGSTOP');
  for (const child of childrenOf(pid)) send(child, 'SIGSTOP');
}

export function continueProcess(pid: number): void {
  for (const child of childrenOf(pid)) send(child, 'SIGCONT');
  send(pid, 'SIGCONT');
}

function childrenOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number);
    return pid !== undefined && ppid === parent ? [pid] : [];
  });
}
