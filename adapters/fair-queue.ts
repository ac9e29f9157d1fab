import { unavailable } from '../domain/errors.ts';
import { workQueueFull } from '../domain/request-refusals.ts';

export interface FairQueueOptions {
  /** How many permits there are, at least 2. */
  readonly permits: number;
  /** How many permits one key may hold; by default all but one, so that another key always finds one. */
  readonly permitsPerKey?: number;
  readonly maxWaitingPerKey: number;
  readonly maxWaiting: number;
  /** The `Retry-After` of a refusal. */
  readonly retryAfterSeconds: number;
  readonly watch?: QueueWatch;
}

/** What a queue reports to the metrics. */
export interface QueueWatch {
  depth(waiting: number): void;
  waited(seconds: number): void;
  refused(): void;
}

/** A request for a permit: its key, and what happens while no permit is free. */
export interface PermitRequest {
  /** The tenant; the client's network while the tenant is unknown. */
  readonly key: string;
  /**
   * `bounded`: it waits in a bounded queue and is refused with 429 or 503 when that is full (the default). `always`: it
   * waits and is never refused or dropped. `never`: it fails with `Throttled`, for an activity that Temporal retries.
   */
  readonly wait?: 'bounded' | 'always' | 'never';
  /** Removes `bounded` work from the queue when its caller disconnects before it has begun. */
  readonly signal?: AbortSignal | undefined;
}

/** No permit is free now. The activity ends and is retried, and does not spend a delivery attempt. */
export class Throttled extends Error {
  override readonly name = 'Throttled';
}

/** Shares a bounded resource between keys: round-robin, with a limit per key. */
export interface FairQueue {
  run<T>(request: PermitRequest, work: () => Promise<T>): Promise<T>;
}

interface Job {
  readonly start: () => void;
}

export function createFairQueue({
  permits,
  permitsPerKey = permits - 1,
  maxWaitingPerKey,
  maxWaiting,
  retryAfterSeconds,
  watch,
}: FairQueueOptions): FairQueue {
  if (permits < 2) throw new RangeError('a fair queue has at least two permits');
  if (permitsPerKey < 1 || permitsPerKey >= permits)
    throw new RangeError('one key may hold at most all permits but one');
  /** In round-robin order: a served key moves to the end. */
  const waiting = new Map<string, Job[]>();
  const running = new Map<string, number>();
  let inUse = 0;
  let depth = 0;

  const hasPermit = (key: string) => inUse < permits && (running.get(key) ?? 0) < permitsPerKey;

  function add(key: string, job: Job): void {
    waiting.set(key, [...(waiting.get(key) ?? []), job]);
    depth += 1;
    watch?.depth(depth);
  }

  function remove(key: string, job: Job, isServed: boolean): void {
    const rest = (waiting.get(key) ?? []).filter((other) => other !== job);
    if (isServed || rest.length === 0) waiting.delete(key);
    if (rest.length > 0) waiting.set(key, rest);
    depth -= 1;
    watch?.depth(depth);
  }

  function startNext(): void {
    for (const [key, [job]] of waiting) {
      if (!job || !hasPermit(key)) continue;
      remove(key, job, true);
      job.start();
      return;
    }
  }

  async function hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    inUse += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
    try {
      return await work();
    } finally {
      inUse -= 1;
      const left = (running.get(key) ?? 1) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
      startNext();
    }
  }

  function refusal({ key, wait = 'bounded' }: PermitRequest): Error | undefined {
    if (wait === 'always') return undefined;
    if (wait === 'never') return new Throttled('no permit is free');
    if ((waiting.get(key)?.length ?? 0) >= maxWaitingPerKey) return workQueueFull(retryAfterSeconds);
    return depth >= maxWaiting ? unavailable(new Error('the queue is full')) : undefined;
  }

  return {
    async run(request, work) {
      const { key, wait = 'bounded' } = request;
      const signal = wait === 'bounded' ? request.signal : undefined;
      if (signal?.aborted) throw unavailable(signal.reason);
      // With a permit free, all waiting work belongs to keys at their limit.
      if (hasPermit(key)) {
        watch?.waited(0);
        return hold(key, work);
      }
      const refused = refusal(request);
      if (refused) {
        watch?.refused();
        throw refused;
      }
      const since = performance.now();
      return new Promise((resolve, reject) => {
        const leave = () => {
          remove(key, job, false);
          reject(unavailable(signal?.reason));
        };
        const job: Job = {
          start() {
            signal?.removeEventListener('abort', leave);
            watch?.waited((performance.now() - since) / 1_000);
            hold(key, work).then(resolve, reject);
          },
        };
        signal?.addEventListener('abort', leave, { once: true });
        add(key, job);
      });
    },
  };
}
