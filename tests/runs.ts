/**
 * The number of cases of a property: `usual` in each run, FC_RUNS in a nightly one. FC_SEED and FC_PATH, as a failure
 * prints them, repeat that failure.
 */
export function runsOf(usual: number): { numRuns: number; seed?: number; path?: string } {
  const { FC_RUNS: runs, FC_SEED: seed, FC_PATH: path } = process.env;
  return { numRuns: Number(runs ?? usual), ...(seed && { seed: Number(seed) }), ...(path && { path }) };
}
