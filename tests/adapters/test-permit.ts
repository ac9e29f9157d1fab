import type { PermitRequest } from '../../adapters/fair-queue.ts';

/** For work whose place in the queue is not under test. */
export const TEST_PERMIT: PermitRequest = { key: 'tests', wait: 'always' };
