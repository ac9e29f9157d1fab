import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import { startDriver } from './driver.ts';
import type { Call, Verb } from './ledger.ts';
import { type Allowance, violations } from './invariants.ts';
import { makeQuote, register, share } from '../journey/business.ts';
import { untilQuiet } from './quiet.ts';
import { type Receipt, startReceivers } from './receivers.ts';
import { isLong } from './report.ts';
import { makeTenants } from './tenants.ts';

/** One run: load with faults, and its results. */
export interface Outcome {
  readonly calls: number;
  readonly repeated: number;
  /** Of these, the first responses: "share 503,200", and so on. */
  readonly repetitions: readonly string[];
  readonly refused: number;
  readonly doubt: number;
  /** Of calls that succeeded at the first try, in milliseconds. */
  readonly p99: number;
  /** The longest wait for a response, in milliseconds. */
  readonly longestMs: number;
  /** Calls other than shares, which do not need Temporal, and how many of them failed at first. */
  readonly writes: { readonly count: number; readonly failed: number };
  /** The longest time between a webhook call and its repetition, if there was one. Milliseconds. */
  readonly repeatedAfterMs: number;
  /** Milliseconds from the end of the load until no work waited. */
  readonly quietAfter: number;
  readonly violations: Readonly<Record<string, readonly string[]>>;
}

export interface RunOptions {
  readonly tenants?: { readonly count: number; readonly wired: number };
  readonly rate?: number;
  /** For a load in which no call may be repeated: on a slow machine calls then wait for earlier ones. Default: no limit. */
  readonly maxInFlight?: number;
  readonly warmUpMs?: number;
  readonly patienceMs?: number;
  readonly drainMs?: number;
  readonly allowance: Allowance;
}

/**
 * Calls begun each second. The effects of one cost Temporal's development server and the worker an eighth of a second
 * of CPU, so that eight a second fill two cores; then shares time out without a fault.
 */
const RATE = 4;

/** Registering a business costs a password hash. */
const TENANTS = isLong() ? { count: 20, wired: 5 } : { count: 4, wired: 2 };

/** A load without faults. */
export const CALM = {
  tenants: { count: 4, wired: 1 },
  rate: 5,
  maxInFlight: 3,
  warmUpMs: 0,
  allowance: { repeatedCalls: 0, repeatedMails: 0, skew: 5 },
} as const satisfies RunOptions;

/** For `runUnderLoad`: no fault, until that many calls have begun, or calls of one kind have succeeded. */
export const untilCalls = (count: number, done?: Verb) => (calls: readonly Call[]) =>
  eventually(() => {
    const counted = calls.filter(({ verb, outcome }) => done === undefined || (verb === done && outcome === 'done'));
    assert.ok(counted.length >= count, `${counted.length} calls`);
  }, 600_000);

/** The first share of a worker loads the PDF renderer: on a slow machine it may exceed the caller's time limit. */
export async function loadRenderers(service: Installation, workers = 1): Promise<void> {
  const business = await register(service);
  for (let round = 0; round < workers; round += 1) {
    const quotes = await Promise.all(Array.from({ length: 2 * workers }, () => makeQuote(service, business)));
    await Promise.all(quotes.map((quote) => share(service, business, quote)));
  }
}

/** Runs the load during `faults`, waits until the service has caught up, and checks every invariant. */
export async function runUnderLoad(
  service: Installation,
  faults: (calls: readonly Call[]) => Promise<void>,
  options: RunOptions,
): Promise<Outcome> {
  const { tenants = TENANTS, rate = RATE, warmUpMs = 3_000 } = options;
  await using receivers = await startReceivers();
  const ledger = await makeTenants(service, receivers, tenants);
  const driver = startDriver(ledger, {
    url: service.http.url,
    rate,
    patienceMs: options.patienceMs ?? 60_000,
    ...(options.maxInFlight !== undefined && { maxInFlight: options.maxInFlight }),
  });
  try {
    await sleep(warmUpMs);
    await faults(ledger.calls);
  } finally {
    await driver.stop();
  }
  const quiet = await untilQuiet(service, ledger, options.drainMs ?? 120_000);
  const found = await violations({ service, ledger, receivers, allowance: options.allowance });
  const atOnce = ledger.calls
    .filter(({ answers }) => answers.length === 1)
    .map((call) => call.endedAt - call.startedAt);
  const writes = ledger.calls.filter(({ verb }) => verb !== 'share' && verb !== 'read');
  const count = (outcome: Call['outcome']) => ledger.calls.filter((call) => call.outcome === outcome).length;
  return {
    calls: ledger.calls.length,
    repeated: ledger.calls.filter(({ answers }) => answers.length > 1).length,
    repetitions: ledger.calls
      .filter(({ answers }) => answers.length > 1)
      .map(({ verb, answers }) => `${verb} ${answers.join()}`),
    refused: count('refused'),
    doubt: count('doubt') + count('open'),
    p99: atOnce.toSorted((a, b) => a - b)[Math.floor(atOnce.length * 0.99)] ?? 0,
    longestMs: Math.max(0, ...ledger.calls.map(({ longestMs }) => longestMs)),
    writes: { count: writes.length, failed: writes.filter(({ answers }) => answers.length > 1).length },
    repeatedAfterMs: Math.max(0, ...ledger.tenants.map((tenant) => longestRepetition(receivers.receiptsOf(tenant)))),
    quietAfter: quiet.ms,
    violations: { ...found, ...(quiet.waiting !== undefined && { 'nothing waits': [quiet.waiting] }) },
  };
}

function longestRepetition(receipts: readonly Receipt[]): number {
  const lastAt = new Map<string, number>();
  let longest = 0;
  for (const { eventId, at } of receipts) {
    longest = Math.max(longest, at - (lastAt.get(eventId) ?? at));
    lastAt.set(eventId, at);
  }
  return longest;
}
