import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { type Call, CALLS } from './crash-points/calls.ts';
import { type StoppingProcess, startStoppingProcess } from './crash-points/stopping-process.ts';
import { isLong, report } from './report.ts';

/**
 * The next attempt under a key waits until the one that died may be taken over, which is 15 s (api/idempotency.ts);
 * twice, when a later kill meets the one that took over.
 */
const UNTIL_DONE_MS = 170_000;
/** Kills over which the places are spread. */
const KILLS = isLong() ? 12 : 3;

type Victim = 'api' | 'worker';

interface NamedPlace {
  /** Of the call. */
  readonly name: string;
  readonly place: string;
}

/**
 * Every call that has an effect, and a kill -9 at each place that it passes: found by watching one that goes well, so
 * that a place that is added is hit as well. The caller repeats the call until it is answered.
 */
describe('A call interrupted by kill -9', function sweep() {
  this.timeout(330_000);
  let service: Installation;

  before(async () => {
    service = await installation();
  });

  for (const victim of ['api', 'worker'] satisfies Victim[]) {
    const names = victim === 'api' ? Object.keys(CALLS) : ['share'];
    it(`of the ${victim}, at any point of ${names.join(', ')}, takes effect once`, async () => {
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
        // The next kill of the worker could meet a mail of these between the mail server and its record.
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

  /** Where each of these calls passes, and that it does commit something there. */
  async function placesOf(own: StoppingProcess, names: readonly string[]) {
    // The first share of a process loads what draws documents, for which a caller may not wait long enough.
    if (names.includes('share')) await recovered(await made(service, 'share'), 'nowhere');
    const calls = await Promise.all(names.map((name) => made(service, name)));
    await own.watch(calls.map(({ business }) => business.tenantId));
    for (const call of calls) {
      const { status } = await call.send();
      assert.ok(call.good.includes(status), `${call.name}: ${status}`);
    }
    // What is asked for the proof is no place of the call.
    await own.standAt([]);
    await Promise.all(calls.map((call) => recovered(call, 'nowhere')));
    return calls.flatMap((call) => {
      const passed = own.passed(call.business.tenantId);
      // In the lifecycle's own task, which is begun anew while somebody stands in it: crash-points.test.ts has it.
      const places = [...new Set(passed)].filter(
        (place) => !/^(readLifecycleState|plan|mark|signalWithStart)/.test(place),
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

/** The status that it is answered with, or 0 where there is no answer. */
const statusOf = (call: Call): Promise<number> =>
  call.send().then(
    ({ status }) => status,
    () => 0,
  );

/** Repeated until it is answered well, the call has had its effect once. */
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

/** A call's places one after the other over the kills, but for shares, whose repetition takes 15 s: all at the first. */
function spread(places: readonly NamedPlace[]) {
  const batches = Array.from({ length: KILLS }, (_, batch) =>
    places.filter(({ name }, index) => (name === 'share' ? 0 : index % KILLS) === batch),
  );
  return batches.filter((batch) => batch.length > 0);
}

/** PDFs are rendered one at a time, so a call stopped in that activity blocks all shares. */
function documentsApart(places: readonly NamedPlace[]) {
  const isDocument = ({ place }: NamedPlace) => place.startsWith('ensureQuotePdf ');
  return [places.filter((one) => !isDocument(one)), ...places.filter(isDocument).map((one) => [one])];
}
