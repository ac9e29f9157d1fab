import { threadCpuMs } from './thread-cpu.ts';

/** The drawing used more CPU time than allowed. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
}

/** Called while a document is drawn; throws `OverBudget` once its CPU time is used up. */
export type Budget = () => void;

/** Reading the CPU time takes about as long as setting a text, so it is read once per this many texts. */
const CALLS_PER_CHECK = 16;

/** A budget of the calling thread, from now on. Unlimited where the thread's CPU time cannot be read. */
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
