/**
 * How our processes keep memory, wherever they are started: here, in the image and by the manifests. A loaded worker took 607
 * MB with none of it and 472 while the old generation grew as it liked; one that delivered without pause 420 without it, some 300 with.
 */

/** Arenas of the C library's allocator. By default it makes eight for each core, each of which keeps what was freed. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2' } as const;

/**
 * Node's flags for an entry point. The young generation of each of a worker's threads is 16 MB by default, and fills up.
 * The old one may by default become four times what is in use before V8 collects it, where the machine has memory; with
 * this 1.3 times. A limit of the heap would do the same, but hold for all threads, and the PDFs' has a lower one of its own.
 */
export const nodeFlags = (entry: string): readonly string[] =>
  entry === 'activities/worker.ts' ? ['--max-semi-space-size=4', '--heap-growing-percent=30'] : [];
