import type { Databases } from './database.ts';
import type { Samples } from './measure.ts';

/** What one bench finds: figures, ratios held against goals, and facts that no other load can change. */

export interface Goal {
  readonly least?: number;
  readonly most?: number;
}

export interface Ratio {
  readonly what: string;
  /** One for each round. */
  readonly values: readonly number[];
  readonly goal?: Goal;
}

/** A ratio whose median is to be so much or more. */
export const atLeast = (least: number, what: string, values: readonly number[]): Ratio => ({
  what,
  values,
  goal: { least },
});

/** A ratio whose median is to be so much or less. */
export const atMost = (most: number, what: string, values: readonly number[]): Ratio => ({
  what,
  values,
  goal: { most },
});

/** Counts, bytes, rows: the same on every machine and under every load, so that a build may fail on them. */
export interface Fact {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  readonly goal: Goal;
}

/** Something measured by itself. It may have a goal, but other load changes it. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: Goal;
}

export interface Findings {
  readonly samples?: readonly Samples[];
  readonly ratios?: readonly Ratio[];
  readonly facts?: readonly Fact[];
  readonly figures?: readonly Figure[];
  /** What could not be measured here, and why. */
  readonly notes?: readonly string[];
}

export interface Bench {
  /** Only what does not depend on the machine. */
  readonly quick: boolean;
  readonly rounds: number;
  readonly databases: () => Promise<Databases>;
  /** Whether the peers of bench/reference are measured: they are installed and built then. */
  readonly peers: boolean;
  /** Run when the row is done, last first, whether it failed or not. */
  readonly after: (close: () => Promise<unknown> | void) => void;
}

export interface Row {
  readonly name: string;
  readonly title: string;
  /** `long`: only with `npm run bench:long`. */
  readonly when?: 'long';
  /** Whether it has anything to say in the quick form. */
  readonly quick: boolean;
  /** What a profile shows where a goal is missed, and what would move it; printed with the row while one is. */
  readonly shortfall?: string;
  readonly run: (bench: Bench) => Promise<Findings>;
}

export const meets = (value: number, { least = -Infinity, most = Infinity }: Goal): boolean =>
  value >= least && value <= most;
