import assert from 'node:assert/strict';
import { cpuOf } from '../../bench/lib/cpu.ts';
import { freePort } from '../../dev/ports.ts';
import { httpClient } from '../api/service.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import { startBalancer } from './balancer.ts';
import { loadRenderers, runUnderLoad, untilCalls } from './load.ts';
import { isLong, report } from './report.ts';

const APIS = 2;
const WORKERS = 3;

/** `docs/scaling.md`: more processes only have to be started. */
describe(`${APIS} API and ${WORKERS} worker processes behind a balancer`, function () {
  this.timeout(5 * 60_000);

  it('share the work, and every invariant holds', async () => {
    const service = await installation();
    const more: OwnProcess[] = [];
    const start = async (entry: string, env: Record<string, string>) => {
      const own = await startOwnProcess(entry, env);
      more.push(own);
      return own;
    };
    try {
      const apis = [{ port: Number(new URL(service.http.url).port), process: service.processes.api }];
      while (apis.length < APIS) {
        const port = await freePort();
        apis.push({ port, process: await start('api/main.ts', { ...service.env, PORT: String(port) }) });
      }
      const workers = [service.processes.worker];
      while (workers.length < WORKERS) workers.push(await start('worker/main.ts', service.env));
      await using balancer = await startBalancer(apis.map(({ port }) => port));
      await loadRenderers(service, WORKERS);

      const pids = [...apis.map(({ process }) => process), ...workers].map(({ pid }) => pid);
      const before = pids.map(cpuOf);
      const outcome = await runUnderLoad(
        { ...service, http: httpClient(balancer.url) },
        untilCalls(isLong() ? 480 : 48),
        {
          maxInFlight: 4,
          allowance: { repeatedCalls: 0, repeatedMails: 0, skew: 5 },
        },
      );
      const spentMs = pids.map((pid, index) => (cpuOf(pid) - (before[index] ?? 0)) / 1e6);
      const steps = await stepsOf(service);

      const perCall = (all: readonly number[]) => (all.reduce((sum, one) => sum + one, 0) / outcome.calls).toFixed(1);
      const shares = (all: readonly number[]) => all.join(' + ');
      const served = apis.map(({ port }) => balancer.served().get(port) ?? 0);
      const ran = workers.map(({ pid }) => steps.get(pid) ?? 0);
      await report({
        fault: `${APIS} API and ${WORKERS} worker processes, none of which fails`,
        times: 1,
        kills: 0,
        invariants: 'I1–I12, no request repeated',
        result: [
          `${outcome.calls} calls, ${outcome.repeated} failed, p99 ${outcome.p99} ms`,
          `requests ${shares(served)}, steps ${shares(ran)}`,
          `CPU a call: API ${perCall(spentMs.slice(0, APIS))} ms, worker ${perCall(spentMs.slice(APIS))} ms`,
          `quiet after ${(outcome.quietAfter / 1000).toFixed(1)} s`,
        ].join('; '),
        lost: Object.keys(outcome.violations).length,
        doubled: 0,
      });
      assert.deepEqual(outcome.violations, {});
      assert.deepEqual(outcome.repetitions, []);
      // No process has all the work, and none has nothing.
      for (const count of served) assert.ok(count > outcome.calls / APIS / 2, `requests: ${shares(served)}`);
      for (const count of ran) assert.ok(count > 0, `steps: ${shares(ran)}`);
    } finally {
      await Promise.all(more.map((process) => process.stop()));
    }
  });
});

/** Workflow steps that began, by the process that ran them: the SDK's identity is pid@host. */
async function stepsOf({ temporal }: Installation): Promise<ReadonlyMap<number, number>> {
  const steps = new Map<number, number>();
  for await (const { workflowId, runId } of temporal.workflow.list({ query: "WorkflowType = 'deliverWebhook'" })) {
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { activityTaskStartedEventAttributes: started } of events ?? []) {
      const pid = Number(started?.identity?.split('@')[0]);
      if (started) steps.set(pid, (steps.get(pid) ?? 0) + 1);
    }
  }
  return steps;
}
