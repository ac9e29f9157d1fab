import type { Turn } from '../../adapters/fair-queue.ts';

/** For work whose place in the queue is not under test. */
export const OWN_TURN: Turn = { key: 'tests', wait: 'always' };
