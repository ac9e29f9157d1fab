import { suffers } from './preload/preload.ts';

/**
 * The retained memory of a process: its heaps after each full collection, which V8 prints with --trace-gc. Resident
 * memory says little about it, because V8 collects late when there is much memory and the native allocator returns
 * little.
 */

/** Flags for the process. A full collection every 20 seconds, so that half an hour has enough of them. */
export const TRACE_HEAP: readonly string[] = ['--trace-gc', '--expose-gc', ...suffers('collect')];

/** One isolate (the main thread, or a worker thread) after a full collection. */
interface Collected {
  /** Milliseconds since the isolate started. */
  readonly at: number;
  readonly mb: number;
}

const COLLECTION =
  /^\[\d+:(0x[0-9a-f]+)\]\s+(\d+) ms: Mark-Compact(?: \([^)]*\))* [\d.]+ \([\d.]+\) -> ([\d.]+) \([\d.]+\) MB/gm;

export interface LiveHeap {
  /** Of all isolates together, after their last collection. */
  readonly mb: number;
  /** The sum of the slopes of straight lines through the later two thirds of each isolate's collections. */
  readonly mbPerHour: number;
  readonly collections: number;
}

/** @param output of a process that was started with TRACE_HEAP */
export function liveHeapIn(output: string): LiveHeap {
  const isolates = new Map<string, Collected[]>();
  for (const [, isolate = '', at, mb] of output.matchAll(COLLECTION)) {
    isolates.set(isolate, [...(isolates.get(isolate) ?? []), { at: Number(at), mb: Number(mb) }]);
  }
  const all = [...isolates.values()];
  return {
    mb: sum(all.map((collected) => collected.at(-1)?.mb ?? 0)),
    mbPerHour: sum(all.map(slopeOf)),
    collections: all.flat().length,
  };
}

/**
 * The first third fills caches and pools. An isolate that is collected twice or less in the rest retains almost
 * nothing.
 */
function slopeOf(collected: readonly Collected[]): number {
  const from = (collected.at(-1)?.at ?? 0) / 3;
  const later = collected.filter(({ at }) => at >= from);
  if (later.length < 3) return 0;
  const at = sum(later.map((one) => one.at)) / later.length;
  const mb = sum(later.map((one) => one.mb)) / later.length;
  const perMs = sum(later.map((one) => (one.at - at) * (one.mb - mb))) / sum(later.map((one) => (one.at - at) ** 2));
  return perMs * 3_600_000;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
