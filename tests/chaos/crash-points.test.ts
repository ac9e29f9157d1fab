import { assertRecovered, crashAt, type Place, startWorker, type Victim } from './crash-points/crash.ts';
import { assertAtRest, assertConsequences } from './crash-points/outcome.ts';
import { batches, type CrashPoint } from './crash-points/points.ts';
import type { StoppingProcess } from './crash-points/stopping-process.ts';
import { prepareSubject, send, type Subject } from './crash-points/subject.ts';
import { eventually } from '../eventually.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { isLong, report } from './report.ts';

/** One PATCH status with three webhooks and two automations, and a kill -9 at each point of its consequences. */
describe('PATCH status with 3 webhooks and 2 automations', function () {
  this.timeout(240_000);
  // Remains of one crash would make all later tests fail slowly.
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

  /** The next batch, whose businesses are made while the current one recovers. */
  let next: { readonly batch: readonly CrashPoint[]; readonly places: Promise<readonly Place[]> } | undefined;

  it('has 3 deliveries, 2 automation runs and notifications', async () => {
    const subject = await prepare();

    await send(service, subject);

    await eventually(() => assertAtRest(service, subject), 30_000);
    await assertConsequences(service, subject, {});
  });

  for (const victim of ['worker', 'Temporal'] satisfies Victim[]) {
    // Crashes of the worker interrupt our own code; the short form omits most of Temporal's.
    const met = victim === 'worker' || isLong() ? batches : batches.filter((_, index) => index % 3 === 0);
    let recovered = 0;
    describe(`has the same effects after kill -9 of ${victim === 'worker' ? 'the worker' : victim} at`, () => {
      for (const [index, batch] of met.entries()) {
        it(batch.map(({ place }) => place).join('; '), async () => {
          const places = await (next?.batch === batch ? next.places : placed(batch));

          worker = await crashAt(service, worker, places, victim);

          const following = met[index + 1];
          next = following && { batch: following, places: placed(following) };
          await Promise.all([next?.places, ...places.map((place) => assertRecovered(service, place, victim))]);
          recovered += 1;
        });
      }
      after(() => reportSweep(victim, met, recovered));
    });
  }
});

const reportSweep = (victim: Victim, met: readonly (readonly CrashPoint[])[], recovered: number) =>
  report({
    fault: `F19 kill -9 of ${victim === 'worker' ? 'the worker' : victim} at ${met.flat().length} named points of outbox, delivery and automation`,
    times: met.length,
    kills: met.length,
    invariants: 'exactly 3 deliveries of each event, 2 runs, each effect and notification once',
    result: `${recovered} of ${met.length} recovered`,
    lost: met.length - recovered,
    doubled: 0,
  });
