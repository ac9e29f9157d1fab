import type { Turn } from '../../adapters/fair-queue.ts';

/** For work whose turn is not what a test is about. */
export const OWN_TURN: Turn = { key: 'tests', wait: 'always' };
