import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { type Call, CALLS } from './crash-points/calls.ts';
import { type StoppingProcess, startStoppingProcess } from './crash-points/stopping-process.ts';
import { isLong, report } from './report.ts';

/**
 * A request under a key is refused until the killed one may be taken over, which is 15 s (api/idempotency.ts); twice
 * that, when a later kill hits the one that took over.
 */
const UNTIL_DONE_MS = 170_000;
/** Number of kills over which the places are spread. */
const KILLS = isLong() ? 12 : 3;

type Victim = 'api' | 'worker';

interface NamedPlace {
  /** Of the call. */
  readonly name: string;
  readonly place: string;
}

/**
 * Every call that has an effect, and a kill -9 at each place that it passes. The places are recorded from a successful
 * call, so that new ones are covered as well. The caller repeats the call until it is answered.
 */
describe('call interrupted by kill -9', function () {
  this.timeout(330_000);
  let service: Installation;

  before(async () => {
    service = await installation();
  });

  for (const victim of ['api', 'worker'] satisfies Victim[]) {
    const names = victim === 'api' ? Object.keys(CALLS) : ['share', 'accept', 'reject'];
    it(`of the ${victim}, at any place of ${names.join(', ')}: the effect happens once`, async () => {
      await service.processes[victim].stop();
      let own = await startStoppingProcess(victim, service.env);
      service.processes[victim] = own;
      const places = await placesOf(own, names);
      const recovering: Promise<void>[] = [];
      let kills = 0;

      for (const batch of victim === 'api' ? spread(places) : documentsApart(places)) {
        const standing = await Promise.all(
          batch.map(async ({ name, place }) => ({ place, call: await made(service, name) })),
        );
        await own.standAt(standing.map(({ place, call }) => ({ place, tenantId: call.business.tenantId })));
        const answers = standing.map(({ call }) => statusOf(call));
        await Promise.all(
          standing.map(({ place, call }) => own.hasComeTo({ place, tenantId: call.business.tenantId })),
        );
        await own.kill();
        kills += 1;
        assert.equal(own.endedBy(), 'SIGKILL');
        own = await startStoppingProcess(victim, service.env);
        service.processes[victim] = own;
        const first = await Promise.all(answers);
        recovering.push(...standing.map(({ place, call }, i) => recovered(call, place, first[i])));
        // The next kill of the worker could hit a mail of these between the mail server and its record.
        if (victim === 'worker') await Promise.allSettled(recovering);
      }

      const outcomes = await Promise.allSettled(recovering);
      const wrong = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
      await report({
        fault: `F19 kill -9 of the ${victim === 'api' ? 'API' : 'worker'} at ${places.length} places of ${names.join(', ')}`,
        times: places.length,
        kills,
        invariants: 'one effect, one event and one audit entry each, however often the call is repeated',
        result: `${places.length - wrong.length} of ${places.length} recovered`,
        lost: wrong.length,
        doubled: 0,
      });
      assert.deepEqual(wrong, []);
    });
  }

  /** The places of each of these calls; asserts that it commits something there. */
  async function placesOf(own: StoppingProcess, names: readonly string[]) {
    // The first share of a process loads the PDF renderer, which may exceed the caller's time limit.
    if (names.includes('share')) await recovered(await made(service, 'share'), 'nowhere');
    const calls = await Promise.all(names.map((name) => made(service, name)));
    await own.watch(calls.map(({ business }) => business.tenantId));
    for (const call of calls) {
      const { status } = await call.send();
      assert.ok(call.good.includes(status), `${call.name}: ${status}`);
    }
    // A worker sends the mails of an answer after the call; requests for the proof are no places of a worker.
    if (names.length < Object.keys(CALLS).length) await Promise.all(calls.map((call) => call.assertOnce(0)));
    // Requests for the proof are no places of the call.
    await own.standAt([]);
    await Promise.all(calls.map((call) => recovered(call, 'nowhere')));
    return calls.flatMap((call) => {
      const passed = own.passed(call.business.tenantId);
      // In the lifecycle's workflow task, which times out and is repeated while it is held: crash-points.test.ts covers
      // it.
      const places = [...new Set(passed)].filter(
        (place) => !/^(readLifecycleState|fan-out|mark|signalWithStart)/.test(place),
      );
      assert.ok(
        places.some((place) => place.endsWith(' committed')),
        `${call.name}: ${places.join(', ')}`,
      );
      return places.map((place) => ({ name: call.name, place }));
    });
  }
});

const made = (service: Installation, name: string): Promise<Call> => {
  const make = CALLS[name];
  if (!make) throw new Error(`no such call: ${name}`);
  return make(service);
};

/** The status of the response, or 0 without one. */
const statusOf = (call: Call): Promise<number> =>
  call.send().then(
    ({ status }) => status,
    () => 0,
  );

/** Once it is answered well after repetitions, the call has had its effect once. */
async function recovered(call: Call, place: string, first?: number): Promise<void> {
  const startedAt = Date.now();
  let failures = first === 500 ? 1 : 0;
  try {
    for (;;) {
      const status = await statusOf(call);
      if (call.good.includes(status)) break;
      if (status === 500) failures += 1;
      if (Date.now() - startedAt > UNTIL_DONE_MS) throw new Error(`still answered ${status}`);
      await sleep(1_000);
    }
    await eventually(() => call.assertOnce(failures), 30_000);
  } catch (cause) {
    throw new Error(`${call.name} at "${place}": ${String(cause)}`, { cause });
  }
}

/** Distributes a call's places over the kills; those of shares, whose repetition takes 15 s, all go to the first. */
function spread(places: readonly NamedPlace[]) {
  const batches = Array.from({ length: KILLS }, (_, batch) =>
    places.filter(({ name }, index) => (name === 'share' ? 0 : index % KILLS) === batch),
  );
  return batches.filter((batch) => batch.length > 0);
}

/** Documents are drawn one at a time, so a process held in that step blocks all shares there. */
function documentsApart(places: readonly NamedPlace[]) {
  const isDocument = ({ place }: NamedPlace) => place.startsWith('ensureQuotePdf ');
  return [places.filter((one) => !isDocument(one)), ...places.filter(isDocument).map((one) => [one])];
}
