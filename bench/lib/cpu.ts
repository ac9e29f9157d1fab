import { readdirSync, readFileSync } from 'node:fs';
import { codeOf } from '../../dev/problem.ts';

/**
 * CPU time as the kernel counts it. On a machine that others use too it repeats where wall time does not: a process
 * that waits for its turn uses none.
 */

/** Of times in /proc/<pid>/stat: the kernel's USER_HZ, 100 on every Linux that Node runs on. */
const TICK_NS = 10_000_000;

/** Nanoseconds that a process, its descendants and those of them that have ended spent on a CPU so far. */
export function cpuOfTree(pid: number): number {
  return cpuOf(pid) + reapedBy(pid) + sum(childrenOf(pid).map(cpuOfTree));
}

/** The same without descendants. */
export function cpuOf(pid: number): number {
  if (pid === process.pid) {
    // Of this process also threads that have ended.
    const { user, system } = process.cpuUsage();
    return (user + system) * 1_000;
  }
  return sum(
    list(`/proc/${pid}/task`).map((task) => {
      const [running] = read(`/proc/${pid}/task/${task}/schedstat`).split(' ');
      return Number(running ?? 0);
    }),
  );
}

/** Children that ended and were waited for: what they had used moves here, so that no reading is ever less than one before. */
export function reapedBy(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  // The name in parentheses may hold spaces; cutime and cstime are fields 16 and 17 of the whole.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * TICK_NS;
}

/** Resident memory of one process, in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes ?? 0) * 1024;
}

const childrenOf = (pid: number): number[] =>
  list(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );

const read = (path: string): string => unlessGone(() => readFileSync(path, 'utf8'), '');
const list = (path: string): readonly string[] => unlessGone(() => readdirSync(path), []);

/** A thread or process may end between being listed and being read. */
function unlessGone<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return otherwise;
    throw error;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
