import { randomBytes } from 'node:crypto';
import { isAlive } from '../../dev/process-table.ts';

/** Databases, namespaces and buckets of a test process contain its pid, so that those of a killed one can be found. */

const PREFIX = 'test-';

/** A name that is unique to this test process. */
export const newProcessName = (): string => `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`;

/** Whether a name belongs to a test process that no longer runs. */
export function isLeftover(name: string): boolean {
  const pid = /^test-(\d+)-[0-9a-f]{8}/.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}
