/**
 * Memory settings of our processes, wherever they are started: here, in the image and by the manifests. A loaded worker
 * took 607 MB without any and 472 MB with an unbounded old generation; one that delivered without pause took 420 MB
 * without that bound, some 300 with it.
 */

/** Arenas of the C library's allocator. By default it creates eight per core, and each keeps freed memory. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2' } as const;

/**
 * Node's flags for an entry point. The young generation of each of a worker's threads is 16 MB by default, and fills
 * up. The old generation may by default grow to four times the live heap before V8 collects it; with this flag to 1.3
 * times. A heap limit would have the same effect, but for all threads, and the PDF threads have a lower one of their
 * own.
 */
export const nodeFlags = (entry: string): readonly string[] =>
  entry === 'worker/main.ts' ? ['--max-semi-space-size=4', '--heap-growing-percent=30'] : [];
