/**
 * Memory settings of our processes, wherever they are started: here, in the image and by the manifests. A loaded worker
 * took 607 MB without any and 472 MB with an unbounded old generation; one that delivered without pause took 420 MB
 * without that bound, some 300 with it.
 */

/**
 * The C library's allocator. By default it creates eight arenas per core, and each keeps freed memory; its threshold for
 * returning memory rises with every large block that is freed, so that what compiling at the start took stays: 7 to 13 MB.
 */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' } as const;

/**
 * Node's flags for an entry point. The young generation of each thread is 16 MB by default twice over, and fills up. The old
 * generation may by default grow to four times the live heap before V8 collects it; with these flags an API's to 1.6 times
 * (185 MB instead of 310 under load), a worker's to 1.3 times. A heap limit would have the same
 * effect, but for all threads, and the PDF threads have a lower one of their own.
 */
export const nodeFlags = (entry: string): readonly string[] => FLAGS[entry] ?? [];

const API = ['--max-semi-space-size=8', '--heap-growing-percent=60'];
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  'api/main.ts': API,
  'dev/api.ts': API,
  'worker/main.ts': ['--max-semi-space-size=4', '--heap-growing-percent=30'],
};
