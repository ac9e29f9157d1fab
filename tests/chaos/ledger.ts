import type { Credential } from '../api/service.ts';

/**
 * The responses that the driver received, kept outside the service: the checker compares database, Temporal, receivers and inbox with
 * them. A call without a response is in doubt: it may have taken effect, once.
 */

/** One business of the load. */
export interface Tenant {
  readonly index: number;
  readonly id: string;
  readonly slug: string;
  readonly owner: Credential;
  /** A word that only this business's texts contain. */
  readonly canary: string;
  readonly clientId: string;
  readonly clientEmail: string;
  /** Those with a webhook and automations; the others only write. */
  readonly wired: boolean;
  readonly webhookSecret: string;
  readonly quotes: KnownQuote[];
}

export type Status = 'GENERATED' | 'SENT' | 'WON' | 'LOST' | 'ACCEPTED' | 'REJECTED';

/** An acknowledged quote, and every state that the responses allow. */
export interface KnownQuote {
  readonly id: string;
  readonly number: number;
  readonly token: string;
  /** One call at a time, so that its story is a line. */
  busy: boolean;
  statuses: Set<Status>;
  /** The lowest and the highest that its version may be. */
  versions: { least: number; most: number };
  /** What the total is when the version is certain. */
  total: number;
  shares: Tally;
}

/** How many calls were answered well, and how many are in doubt. */
export interface Tally {
  done: number;
  doubt: number;
}

export type Verb = 'create' | 'duplicate' | 'read' | 'status' | 'share' | 'accept' | 'revise' | 'settings';

/** One call as the driver made it, with every repetition. */
export interface Call {
  readonly id: string;
  readonly verb: Verb;
  readonly tenant: Tenant;
  readonly startedAt: number;
  endedAt: number;
  /** Status codes in order; 0 where there was no answer. */
  readonly answers: number[];
  /** The longest that one of these answers, or its absence, was waited for. Milliseconds. */
  longestMs: number;
  outcome: 'open' | 'done' | 'refused' | 'doubt';
}

export interface Ledger {
  readonly tenants: readonly Tenant[];
  readonly calls: Call[];
  /** Reads that contradicted what had been acknowledged. */
  readonly contradictions: string[];
}

export const callsOf = ({ calls }: Ledger, tenant: Tenant, verb: Verb): Tally => {
  const mine = calls.filter((call) => call.tenant === tenant && call.verb === verb);
  return {
    done: mine.filter(({ outcome }) => outcome === 'done').length,
    doubt: mine.filter(({ outcome }) => outcome === 'doubt' || outcome === 'open').length,
  };
};
