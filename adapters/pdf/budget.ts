import { threadCpuMs } from './thread-cpu.ts';

/** The drawing used more CPU time than allowed. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
}

/** Called while a document is drawn; throws `OverBudget` once its CPU time is used up. */
export type Budget = () => void;

/**
 * A budget of the calling thread, from now on. Unlimited where the thread's CPU time cannot be read, which takes as long
 * as setting several texts: it is read only when the budget may be used up, since CPU time passes no faster than time.
 */
export function startBudget(cpuBudgetMs: number): Budget {
  const start = threadCpuMs();
  if (start === undefined) return () => {};
  let checkAt = performance.now() + cpuBudgetMs;
  return () => {
    if (performance.now() < checkAt) return;
    const left = cpuBudgetMs - ((threadCpuMs() ?? 0) - start);
    if (left < 0) throw new OverBudget(`more than ${cpuBudgetMs} ms of CPU time`);
    checkAt = performance.now() + Math.max(left, MIN_PAUSE_MS);
  };
}

/** Between two readings when little is left. */
const MIN_PAUSE_MS = 5;
