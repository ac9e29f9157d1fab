import { threadCpuMs } from './thread-cpu.ts';

/** The drawing took more CPU time than it may. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
}

/** Called while a document is drawn; throws `OverBudget` as soon as it has used its CPU time up. */
export type Budget = () => void;

/** Asking takes some microseconds, setting a text about as long: each so many texts are enough. */
const CALLS_PER_CHECK = 16;

/** Of the calling thread, from now on. Without limit where the thread's CPU time cannot be read. */
export function startBudget(cpuBudgetMs: number): Budget {
  const start = threadCpuMs();
  if (start === undefined) return () => {};
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % CALLS_PER_CHECK > 0) return;
    if ((threadCpuMs() ?? 0) - start > cpuBudgetMs) throw new OverBudget(`more than ${cpuBudgetMs} ms of CPU time`);
  };
}
