import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { loadSecrets } from '../../dev/secrets.ts';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import { continueProcess, pauseProcess } from '../journey/paused.ts';
import type { Allowance } from './invariants.ts';

/** A fault that is injected under load `times` times. Names are those in docs/reliability.md. */
export interface Fault {
  readonly name: string;
  /**
   * How often it happens: in the short form, and in the long one. The short form omits what other suites of CI break at more
   * places: the API and Temporal (crash-points-calls, crash-points), the mail server and the storage (tests/system).
   */
  readonly times: { readonly short: number; readonly long: number };
  /** Milliseconds between two of them. */
  readonly everyMs: number;
  /** Whether each is a kill -9, for the sum of kills. */
  readonly kills: boolean;
  /** Causes the fault and ends it. Returns how long the service was unavailable, where that is measured. */
  readonly hit: (service: Installation, form: Form) => Promise<number | void>;
  readonly targets?: Targets;
  readonly patienceMs?: number;
  readonly allowance: (times: number) => Allowance;
}

/** Limits beyond the invariants, measured on two cores. */
export interface Targets {
  /** The longest unavailability of the service, in milliseconds. */
  readonly awayMs?: number;
  /** Milliseconds until no work waits, after the fault's end. */
  readonly quietMs?: number;
  /** Milliseconds until an interrupted webhook call is repeated. */
  readonly repeatedAfterMs?: number;
  /** The longest wait for a response, in milliseconds. */
  readonly longestMs?: number;
  /** The part of writes that must succeed at the first try; of 1. */
  readonly writesAtFirst?: number;
}

export type Form = 'short' | 'long';

/** At most two calls are in flight at an endpoint, five businesses have one; a mail may be between DATA and record. */
const perKill = (times: number): Allowance => ({ repeatedCalls: times * 10, repeatedMails: times, skew: 5 });
const none = (): Allowance => ({ repeatedCalls: 0, repeatedMails: 0, skew: 5 });

/** Ten seconds, and the delay of a busy machine for a response after ten seconds (a share's). */
const HUNG_MS = 12_000;

export const FAULTS: readonly Fault[] = [
  {
    name: 'F1 kill -9 of the API',
    times: { short: 0, long: 30 },
    everyMs: 5_000,
    kills: true,
    targets: { awayMs: 3_000 },
    allowance: none,
    async hit(service) {
      await service.processes.api.kill();
      const startedAt = Date.now();
      await service.startApi();
      await answering(service);
      return Date.now() - startedAt;
    },
  },
  {
    name: 'F2 kill -9 of the worker',
    times: { short: 1, long: 30 },
    everyMs: 9_000,
    kills: true,
    targets: { repeatedAfterMs: 20_000, quietMs: 60_000 },
    allowance: perKill,
    async hit(service) {
      await service.processes.worker.kill();
      await service.startWorker();
    },
  },
  {
    name: 'F3 kill -9 of PostgreSQL',
    times: { short: 1, long: 15 },
    everyMs: 8_000,
    kills: true,
    targets: { awayMs: 5_000, longestMs: HUNG_MS },
    // A call that was made and could not be recorded is repeated.
    allowance: perKill,
    async hit(service) {
      service.parts.postgres.process.kill();
      await service.parts.postgres.process.exited;
      await service.startPostgres();
      const startedAt = Date.now();
      await answering(service);
      return Date.now() - startedAt;
    },
  },
  {
    name: 'F4 all connections to PostgreSQL cut',
    times: { short: 3, long: 50 },
    everyMs: 1_500,
    kills: false,
    targets: { longestMs: HUNG_MS },
    allowance: perKill,
    hit: cutConnections,
  },
  {
    name: 'F5 kill -9 of Temporal',
    times: { short: 0, long: 15 },
    everyMs: 10_000,
    kills: true,
    targets: { writesAtFirst: 1, quietMs: 60_000 },
    allowance: perKill,
    async hit(service) {
      service.parts.temporal.process.kill();
      await service.parts.temporal.process.exited;
      await service.startTemporal();
    },
  },
  {
    name: 'F6 Temporal down for a while',
    times: { short: 1, long: 1 },
    everyMs: 2_000,
    kills: false,
    patienceMs: 180_000,
    targets: { writesAtFirst: 0.95, quietMs: 120_000 },
    allowance: perKill,
    async hit(service, form) {
      await service.parts.temporal.stop();
      await sleep(form === 'long' ? 120_000 : 10_000);
      await service.startTemporal();
    },
  },
  {
    name: 'F8 the mail server down, refusing, hanging, cutting after DATA',
    times: { short: 0, long: 4 },
    everyMs: 3_000,
    kills: false,
    // A mail that was cut off after DATA may have been accepted, and a deliberate repetition sends another.
    allowance: (times) => ({ repeatedCalls: 0, repeatedMails: times * 40, skew: 5 }),
    async hit({ parts }) {
      for (const mode of ['reject', 'hang', 'drop-after-data'] as const) {
        parts.inbox.setMode(mode);
        await sleep(4_000);
      }
      parts.inbox.setMode('accept');
    },
  },
  {
    name: 'F9 kill -9 of the storage',
    times: { short: 0, long: 8 },
    everyMs: 6_000,
    kills: true,
    allowance: none,
    async hit(service) {
      service.parts.storage.process.kill();
      await service.parts.storage.process.exited;
      await sleep(2_000);
      await service.startStorage();
    },
  },
  {
    name: 'F15 a worker frozen and resumed beside another',
    times: { short: 1, long: 10 },
    everyMs: 2_000,
    kills: false,
    allowance: (times) => ({ ...perKill(times), skew: 90 }),
    async hit(service, form) {
      const frozen = service.processes.worker;
      pauseProcess(frozen.pid);
      await service.startWorker();
      await sleep(form === 'long' ? 60_000 : 12_000);
      continueProcess(frozen.pid);
      await sleep(5_000);
      await frozen.stop();
    },
  },
];

/** Waits until the API serves a route that queries the database. */
export const answering = (service: Installation): Promise<void> =>
  eventually(async () => {
    const res = await service.http.get('/readyz');
    if (res.status !== 200) throw new Error(`readyz says ${res.status}`);
  }, 30_000);

/** As an administrator would: terminates every session of the service. */
async function cutConnections({ dataDir, parts }: Installation): Promise<void> {
  const client = new PostgresClient({
    host: '127.0.0.1',
    port: parts.postgres.port,
    user: 'postgres',
    password: loadSecrets(dataDir).postgres,
    database: 'postgres',
  });
  await client.connect();
  try {
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename like 'quoting_%'");
  } finally {
    await client.end();
  }
}
