import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../dev/ports.ts';
import { httpClient } from '../api/service.ts';
import { install } from '../installation.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import { startBalancer } from './balancer.ts';
import { runUnderLoad } from './load.ts';
import { lostTasks } from './lost-tasks.ts';
import { isLong, report } from './report.ts';

/** Milliseconds between two restarts. A process that has just started uses a core for a second. */
const REST_MS = 2_000;
/**
 * Calls begun each second; half of what the other faults have. A restart of both kinds takes more than four seconds of
 * CPU and comes every eight: at the usual rate two cores are full after a minute, and shares time out for no fault of a
 * restarted process.
 */
const RATE = 2;

/** F2b: a new version, or just a new process, replaces the old one without an effect on callers. */
describe('rolling restart of two of each process', function () {
  this.timeout(10 * 60_000);

  it('no request fails, nothing is delivered twice, and each process ends within 15 s', async () => {
    const times = isLong() ? 20 : 2;
    const service = await install({ settings: { DRAIN_SECONDS: '2' } });
    const env = { ...service.env, DRAIN_SECONDS: '2' };
    const startApi = async () => {
      const port = await freePort();
      return { port, process: await startOwnProcess('api/main.ts', { ...env, PORT: String(port) }) };
    };
    const apis = [await startApi(), await startApi()];
    await service.processes.api.stop();
    const workers: OwnProcess[] = [service.processes.worker, await startOwnProcess('worker/main.ts', env)];
    await using balancer = await startBalancer(apis.map(({ port }) => port));
    const exits: { ms: number; code: number | null }[] = [];
    const stop = async (process: OwnProcess) => {
      const startedAt = Date.now();
      await process.stop();
      exits.push({ ms: Date.now() - startedAt, code: process.exitCode() });
    };
    try {
      const outcome = await runUnderLoad(
        { ...service, http: httpClient(balancer.url) },
        async () => {
          for (let time = 0; time < times; time += 1) {
            apis.push(await startApi());
            balancer.setTargets(apis.map(({ port }) => port));
            await sleep(500);
            const old = apis.shift();
            if (old) await stop(old.process);
            balancer.setTargets(apis.map(({ port }) => port));
            workers.push(await startOwnProcess('worker/main.ts', env));
            const oldWorker = workers.shift();
            if (oldWorker) await stop(oldWorker);
            await sleep(REST_MS);
          }
        },
        { rate: RATE, allowance: { repeatedCalls: 0, repeatedMails: 0, skew: 5 } },
      );
      // Few, because the SDK drops tasks that reach a worker in the moment in which it stops: a share continues after
      // five seconds.
      const lost = await lostTasks(service);
      const slowest = Math.max(...exits.map(({ ms }) => ms));
      await report({
        fault: 'F2b rolling SIGTERM, two of each',
        times: times * 2,
        kills: 0,
        invariants: 'I1–I12, no request repeated',
        result: `${outcome.calls} calls, ${outcome.repeated} failed, ${lost.length} tasks lost with a stopping worker; slowest exit ${slowest} ms`,
        lost: Object.keys(outcome.violations).length,
        doubled: 0,
      });
      assert.deepEqual(outcome.violations, {});
      assert.deepEqual(outcome.repetitions, []);
      assert.deepEqual(
        exits.filter(({ ms, code }) => ms > 15_000 || code !== 0),
        [],
      );
    } finally {
      await Promise.all([...apis.map(({ process }) => process.stop()), ...workers.map((worker) => worker.stop())]);
      await service.remove();
    }
  });
});
