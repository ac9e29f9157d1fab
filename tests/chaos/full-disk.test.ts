import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { loadSecrets } from '../../dev/secrets.ts';
import { eventually } from '../eventually.ts';
import { install, type Installation } from '../installation.ts';
import type { Call } from './ledger.ts';
import { runUnderLoad } from './load.ts';
import { isLong, report } from './report.ts';
import { moveToSmallDisk, type SmallDisk, whyNoSmallDisk } from './small-disk.ts';

/**
 * F12: PostgreSQL's disk is full, then has space again. First tables cannot grow, which PostgreSQL survives; then its
 * log cannot, which ends it: the test restarts it repeatedly, as systemd and Docker do, and does nothing else by hand.
 */

const SIZE_MB = 256;

describe("with PostgreSQL's disk full", function () {
  this.timeout(8 * 60_000);
  const reason = whyNoSmallDisk();
  // The short form is skipped with a message where there is no small disk; the long one fails there.
  if (reason && !isLong()) return console.log(`F12 is left out: ${reason}`);

  it('callers get 503 and no 500; when there is space again everything continues, and nothing is lost', async () => {
    if (reason) throw new Error(`F12 cannot be tried here: ${reason}`);
    const times = isLong() ? 5 : 1;
    const service = await install();
    let disk: SmallDisk | undefined;
    const answers: number[] = [];
    const backMs: number[] = [];
    let ended = 0;
    try {
      disk = await onSmallDisk(service);
      const small = disk;
      const outcome = await runUnderLoad(
        service,
        async (calls) => {
          for (let time = 0; time < times; time += 1) {
            const before = calls.length;
            small.fill();
            await untilRefused(calls, before);
            await sleep(isLong() ? 10_000 : 3_000);
            await endOfLog(service);
            await sleep(2_000);
            if (service.parts.postgres.process.hasExited()) ended += 1;
            const startedAt = Date.now();
            small.free();
            await untilBack(service);
            backMs.push(Date.now() - startedAt);
            await sleep(4_000);
            answers.push(...calls.slice(before).flatMap((call) => call.answers));
          }
        },
        { allowance: { repeatedCalls: times * 20, repeatedMails: times, skew: 5 }, patienceMs: 90_000 },
      );
      const refused = answers.filter((status) => status === 503).length;
      await report({
        fault: 'F12 the disk of PostgreSQL full',
        times,
        kills: 0,
        invariants: 'I1–I12, no 500',
        result: `${outcome.calls} calls, ${refused} responses 503; the server ended ${ended} times; serving again ${Math.max(...backMs)} ms after space was freed`,
        lost: Object.keys(outcome.violations).length,
        doubled: 0,
      });
      assert.deepEqual(outcome.violations, {});
      assert.ok(refused > 0, 'no call failed although the disk was full');
      assert.deepEqual(
        answers.filter((status) => status === 500),
        [],
      );
      assert.ok(Math.max(...backMs) < 30_000, `serving again after ${backMs.join(', ')} ms`);
    } finally {
      // A mount point cannot be deleted.
      await Promise.all([service.processes.api.stop(), service.processes.worker.stop()]);
      await service.parts.postgres.stop();
      disk?.[Symbol.dispose]();
      await service.remove();
    }
  });
});

/** Runs a statement as the server's administrator. */
async function administer(service: Installation, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({
    host: '127.0.0.1',
    port: service.parts.postgres.port,
    user: 'postgres',
    password: loadSecrets(service.dataDir).postgres,
    database: 'postgres',
  });
  // The statement may end the server.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function onSmallDisk(service: Installation): Promise<SmallDisk> {
  const [row] = await administer(service, "select current_setting('data_directory') as folder");
  await service.parts.postgres.stop();
  const disk = moveToSmallDisk(String(row?.['folder']), SIZE_MB);
  await service.startPostgres();
  return disk;
}

/** Waits until a call since then got the response to retry. */
const untilRefused = (calls: readonly Call[], since: number): Promise<void> =>
  eventually(() => {
    const refused = calls.slice(since).some((call) => call.answers.includes(503));
    assert.ok(refused, 'no call was refused yet');
  }, 30_000);

/** Makes the server allocate a new log file, for which there is no space. */
async function endOfLog(service: Installation): Promise<void> {
  for (let file = 0; file < 3; file += 1) {
    await administer(service, 'select pg_logical_emit_message(false, $$x$$, $$y$$), pg_switch_wal()').catch(
      () => undefined,
    );
  }
}

/** Starts the server whenever it has ended, until the service serves. */
async function untilBack(service: Installation): Promise<void> {
  await eventually(async () => {
    if (service.parts.postgres.process.hasExited()) await service.startPostgres();
    const { status } = await service.http.get('/readyz');
    assert.equal(status, 200);
  }, 60_000);
}
