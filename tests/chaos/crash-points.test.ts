import { assertRecovered, crashAt, type Place, startWorker, type Victim } from './crash-points/crash.ts';
import { assertAtRest, assertConsequences } from './crash-points/outcome.ts';
import { batches, type CrashPoint } from './crash-points/points.ts';
import type { StoppingProcess } from './crash-points/stopping-process.ts';
import { prepareSubject, send, type Subject } from './crash-points/subject.ts';
import { eventually } from '../eventually.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { isLong, report } from './report.ts';

/** One PATCH status with three webhooks and two automations, and a kill -9 at each point of what follows from it. */
describe('A PATCH status with 3 webhooks and 2 automations', function sweep() {
  this.timeout(240_000);
  // What one crash left behind would fail all after it, slowly.
  this.bail(true);
  let service: Installation;
  let worker: StoppingProcess;
  const subjects: Subject[] = [];

  before(async () => {
    service = await installation();
    await service.processes.worker.stop();
    worker = await startWorker(service);
  });
  after(async () => {
    await worker.stop();
    await service.startWorker();
    for (const { receiver } of subjects) await receiver[Symbol.asyncDispose]();
  });

  async function prepare(): Promise<Subject> {
    const subject = await prepareSubject(service);
    subjects.push(subject);
    return subject;
  }

  const placed = (batch: readonly CrashPoint[]): Promise<readonly Place[]> =>
    Promise.all(batch.map(async (point) => ({ point, subject: await prepare() })));

  it('has its 3 deliveries, 2 runs and notifications', async () => {
    const subject = await prepare();

    await send(service, subject);

    await eventually(() => assertAtRest(service, subject), 30_000);
    await assertConsequences(service, subject, {});
  });

  for (const victim of ['worker', 'Temporal'] satisfies Victim[]) {
    // The worker's crash is the one that interrupts our own code; the short form leaves most of Temporal's out.
    const met = victim === 'worker' || isLong() ? batches : batches.filter((_, index) => index % 3 === 0);
    let recovered = 0;
    describe(`has the same after a kill -9 of ${victim === 'worker' ? 'the worker' : victim} at`, () => {
      for (const batch of met) {
        it(batch.map(({ place }) => place).join('; '), async () => {
          const places = await placed(batch);

          worker = await crashAt(service, worker, places, victim);

          await Promise.all(places.map((place) => assertRecovered(service, place, victim)));
          recovered += 1;
        });
      }
      after(() => reportSweep(victim, met, recovered));
    });
  }
});

const reportSweep = (victim: Victim, met: readonly (readonly CrashPoint[])[], recovered: number) =>
  report({
    fault: `F19 kill -9 of ${victim === 'worker' ? 'the worker' : victim} at ${met.flat().length} named points of dispatcher, deliver and automation`,
    times: met.length,
    kills: met.length,
    invariants: 'exactly 3 deliveries of each event, 2 runs, each effect and notification once',
    result: `${recovered} of ${met.length} recovered`,
    lost: met.length - recovered,
    doubled: 0,
  });
