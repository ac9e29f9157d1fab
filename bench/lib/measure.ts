import { cpuOf, cpuOfTree, reapedBy } from './cpu.ts';

/**
 * Things to compare, run in turn: a few operations of each, in an order that turns round every round, so that whatever
 * else the machine does meets all of them. Ratios are taken within a round and only then summed up.
 */

export interface Variant {
  readonly name: string;
  /** How many operations one run does; a run may answer another number that it did. */
  readonly operations: number;
  readonly run: () => Promise<number | void>;
  /** Processes whose CPU time is the variant's, without PostgreSQL's. Default: this process. */
  readonly pids?: readonly number[];
  /** Process of its PostgreSQL server, if it is not the one of all variants. */
  readonly postgres?: number;
  /** Counts processes that the run starts and that end with it. */
  readonly counts?: 'children';
}

/** Of one round; per operation, in microseconds. */
export interface Sample {
  readonly wallUs: number;
  readonly nodeUs: number;
  readonly postgresUs: number;
  /** Both. */
  readonly cpuUs: number;
}

export type Samples = ReadonlyMap<string, readonly Sample[]>;

export interface InterleaveOptions {
  readonly rounds: number;
  /** Runs of each before the first that counts. Default 1. */
  readonly warm?: number;
  /** Process of the PostgreSQL server, if the variants use one. */
  readonly postgres?: number | undefined;
}

export async function interleave(
  variants: readonly Variant[],
  { rounds, warm = 1, postgres }: InterleaveOptions,
): Promise<Samples> {
  for (const variant of variants) {
    for (let time = 0; time < warm; time++) await variant.run();
  }
  const samples = new Map<string, Sample[]>(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? variants : variants.toReversed();
    for (const variant of order) samples.get(variant.name)?.push(await measured(variant, variant.postgres ?? postgres));
  }
  return samples;
}

async function measured(variant: Variant, postgres: number | undefined): Promise<Sample> {
  const { pids = [process.pid] } = variant;
  const node = () =>
    variant.counts === 'children' ? reapedBy(process.pid) : pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  const database = () => (postgres === undefined ? 0 : cpuOfTree(postgres));
  const before = { node: node(), database: database(), at: performance.now() };
  const operations = (await variant.run()) ?? variant.operations;
  const wallMs = performance.now() - before.at;
  const nodeUs = (node() - before.node) / 1_000 / operations;
  const postgresUs = (database() - before.database) / 1_000 / operations;
  return { wallUs: (wallMs * 1_000) / operations, nodeUs, postgresUs, cpuUs: nodeUs + postgresUs };
}

/** How many times less `of` costs than `than`, round by round: 2 is twice as fast. */
export function times(samples: Samples, of: string, than: string, cost: keyof Sample = 'cpuUs'): readonly number[] {
  const ours = samples.get(of) ?? [];
  const theirs = samples.get(than) ?? [];
  return ours.flatMap((sample, round) => {
    const other = theirs[round];
    return other ? [other[cost] / sample[cost]] : [];
  });
}

/** How many times as much `of` costs as `than`, round by round. */
export const costs = (samples: Samples, of: string, than: string, cost: keyof Sample = 'cpuUs'): readonly number[] =>
  times(samples, than, of, cost);

/** Does the work so many times, one after another. */
export async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < count; time++) await work();
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * Bounds of the median with a probability of 95 %, whatever the distribution: the outermost two values that as many
 * lie beyond as a fair coin would put there in 2.5 % of cases. Six values or more.
 */
export function interval95(values: readonly number[]): readonly [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  let beyond = 0;
  let exactly = 0.5 ** values.length;
  for (let sum = exactly; sum <= 0.025; sum += exactly) {
    beyond += 1;
    exactly *= (values.length - beyond + 1) / beyond;
  }
  const [low, high] = [sorted[beyond - 1], sorted[values.length - beyond]];
  return [low ?? Number.NaN, high ?? Number.NaN];
}

/** The value below which that share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
