import { readFileSync } from 'node:fs';

/**
 * CPU time of the calling thread in milliseconds. Undefined where it cannot be read: Node 20 does not report it, and
 * only Linux has it in a file.
 */
export function threadCpuMs(): number | undefined {
  try {
    const [runNs] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ');
    return Number(runNs) / 1e6;
  } catch {
    return undefined;
  }
}
