import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { type Installation, installation } from '../journey/installation.ts';
import type { Call } from './crash-points/call-world.ts';
import { CALLS } from './crash-points/calls.ts';
import { WORKER_CALLS } from './crash-points/share-calls.ts';
import { type StoppingProcess, startStoppingProcess } from './crash-points/stopping-process.ts';
import { isLong, report } from './report.ts';

/**
 * A request under a key is refused until the killed one may be taken over, which is 15 s (api/idempotency.ts); twice
 * that, when a later kill hits the one that took over.
 */
const UNTIL_DONE_MS = 170_000;
/** A look at all effects of a call reads every mail, and many calls recover at a time. */
const LOOK_MS = 500;
/** Businesses that are registered at a time: the API refuses more passwords than it can hash soon. */
const REGISTERING = 8;
/** Number of kills over which the places are spread. */
const KILLS = isLong() ? 12 : 5;
/** Places of one kill, but for those of shares, which wait for their worker: each keeps a connection of its pool. */
const HELD = 12;

const ALL_CALLS = { ...CALLS, ...WORKER_CALLS };
const NAMES = {
  api: Object.keys(CALLS),
  worker: ['share', 'share with two', 'accept', 'reject', 'request changes', 'write to the client', 'follow up'],
} as const;
type Victim = keyof typeof NAMES;

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
  this.timeout(600_000);
  let service: Installation;

  before(async () => {
    service = await installation();
  });

  for (const victim of ['api', 'worker'] satisfies Victim[]) {
    const names = NAMES[victim];
    it(`of the ${victim}, at any place of ${names.join(', ')}: the effect happens once`, async () => {
      await service.processes[victim].stop();
      let own = await startStoppingProcess(victim, service.env);
      service.processes[victim] = own;
      const all = (await placesOf(own, victim)).filter((one) => !isMail(one));
      const places = isLong() ? all : shortOf[victim](all);
      const recovering: Promise<readonly number[]>[] = [];
      let kills = 0;

      const batches = victim === 'api' ? spread(places) : spreadOfWorker(places);
      let next = standingAt(batches[0] ?? []);
      for (const index of batches.keys()) {
        const standing = await next;
        await own.standAt(
          standing.map(({ place, call }) => ({ place, tenantId: call.business.tenantId })),
          standing.map(({ call }) => call.business.tenantId),
        );
        const answers = new Map<Call, Promise<number>>();
        for (const calls of heldInOrder(standing)) {
          for (const { call } of calls) answers.set(call, statusOf(call));
          await Promise.all(calls.map(({ place, call }) => own.hasComeTo({ place, tenantId: call.business.tenantId })));
        }
        await own.kill();
        kills += 1;
        assert.equal(own.endedBy(), 'SIGKILL');
        const killed = own;
        own = await startStoppingProcess(victim, service.env);
        service.processes[victim] = own;
        await Promise.all(answers.values());
        recovering.push(
          ...standing.map(async ({ place, call }) => {
            const { copies } = await recovered(call, place, await answers.get(call));
            const repeated = copies.filter((times) => times > 1).length;
            const unknown = mailsUnderWay(killed.passed(call.business.tenantId));
            assert.ok(repeated <= unknown, `${call.name} at "${place}": ${repeated} mails came twice, ${unknown} may`);
            return copies;
          }),
        );
        next = standingAt(batches[index + 1] ?? []);
        // The next kill of the worker could hit a mail of these while it is being sent.
        if (victim === 'worker') await Promise.allSettled([next, ...recovering]);
      }

      const outcomes = await Promise.allSettled(recovering);
      const wrong = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
      const copies = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
      const repeated = copies.filter((times) => times > 1).length;
      await report({
        fault: `F19 kill -9 of the ${victim === 'api' ? 'API' : 'worker'} at ${places.length} places of ${names.join(', ')}`,
        times: places.length,
        kills,
        invariants:
          'one effect, one event and one audit entry each, however often the call is repeated; a mail comes twice only if it was being sent at the kill',
        result: `${places.length - wrong.length} of ${places.length} recovered, ${copies.length} mails`,
        lost: wrong.length,
        doubled: repeated,
      });
      assert.deepEqual(wrong, []);
    });
  }

  it('of the worker after the mail server took a mail and before it is recorded: the same Message-ID comes again, recorded once', async () => {
    let own = await startStoppingProcess('worker', service.env);
    await service.processes.worker.stop();
    service.processes.worker = own;
    await recovered(await made(service, 'share'), 'nowhere');
    let repeated = 0;
    let kills = 0;

    // Each is held in a business of its own, so one kill may interrupt all.
    for (const kinds of isLong() ? MAILS.map((kind) => [kind]) : [MAILS]) {
      const held = await Promise.all(
        kinds.map(async ([name, step]) => {
          const call = await made(service, name);
          return { name, call, stop: { place: `${step} mailed`, tenantId: call.business.tenantId } };
        }),
      );
      await own.standAt(held.map(({ stop }) => stop));
      const answered = held.map(({ call }) => statusOf(call));
      await Promise.all(held.map(({ stop }) => own.hasComeTo(stop)));
      await own.kill();
      kills += 1;
      assert.equal(own.endedBy(), 'SIGKILL');
      own = await startStoppingProcess('worker', service.env);
      service.processes.worker = own;
      const first = await Promise.all(answered);
      const all = await Promise.all(
        held.map(async ({ name, call, stop }, i) => ({ name, ...(await recovered(call, stop.place, first[i])) })),
      );
      for (const { name, copies, failures } of all) {
        // One mail was held; another of the same answer may have been at the same place.
        const twice = copies.filter((times) => times === 2).length;
        // On a slow machine a share fails five seconds after its start, before its mail is sent again.
        const isGivenUp = name.startsWith('share') && failures > 0;
        assert.ok(
          (twice >= 1 || isGivenUp) && copies.every((times) => times <= 2),
          `${name}: ${copies.join(', ')} copies`,
        );
        repeated += twice;
      }
    }

    await report({
      fault: `F19 kill -9 of the worker between the mail server's reply and its record, in ${MAILS.length} kinds of mails`,
      times: MAILS.length,
      kills,
      invariants: 'one effect, one event and one audit entry each; a second copy has the same Message-ID',
      result: `${repeated} mails came twice in the SMTP gap, none was lost`,
      lost: 0,
      doubled: 0,
    });
  });

  /** A business and its call for each place, made while those of the kill before recover. */
  async function standingAt(batch: readonly NamedPlace[]) {
    const standing: Standing[] = [];
    for (let i = 0; i < batch.length; i += REGISTERING) {
      const some = batch.slice(i, i + REGISTERING);
      standing.push(
        ...(await Promise.all(some.map(async ({ name, place }) => ({ place, call: await made(service, name) })))),
      );
    }
    return standing;
  }

  /** The places of each call; asserts that it commits something there. */
  async function placesOf(own: StoppingProcess, victim: Victim) {
    const names = NAMES[victim];
    // The first share of a process loads the PDF renderer, which may exceed the caller's time limit.
    if (names.includes('share')) await recovered(await made(service, 'share'), 'nowhere');
    const calls: Call[] = [];
    for (const name of names) calls.push(await made(service, name));
    await own.standAt(
      [],
      calls.map(({ business }) => business.tenantId),
    );
    for (const call of calls) {
      const { status } = await call.send();
      assert.ok(call.good.includes(status), `${call.name}: ${status}`);
    }
    // A worker sends the mails of an answer after the call; requests for the proof are no places of a worker.
    if (victim === 'worker') await Promise.all(calls.map((call) => eventually(() => call.assertOnce(0))));
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
  const make = ALL_CALLS[name];
  if (!make) throw new Error(`no such call: ${name}`);
  // While earlier calls are repeated, the API may refuse some for its load; each attempt is a new business.
  return eventually(() => make(service));
};

/** The status of the response, or 0 without one. */
const statusOf = (call: Call): Promise<number> =>
  call.send().then(
    ({ status }) => status,
    () => 0,
  );

interface Recovered {
  /** How often each of its mails arrived. */
  readonly copies: readonly number[];
  /** How often it was answered 500. */
  readonly failures: number;
}

/** Once it is answered well after repetitions, the call has had its effect once. */
async function recovered(call: Call, place: string, first?: number): Promise<Recovered> {
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
    return await eventually(
      async () => {
        await call.assertOnce(failures);
        const copies = (await call.copies?.()) ?? [];
        assert.ok(!copies.includes(0), `a mail did not arrive: ${copies.join(', ')} copies`);
        return { copies, failures };
      },
      60_000,
      LOOK_MS,
    );
  } catch (cause) {
    throw new Error(`${call.name} at "${place}": ${String(cause)}`, { cause });
  }
}

/**
 * Each place of the worker in the first call that passes it, and the first place of each call: several kinds of mails pass
 * the same steps, and each kill takes seconds.
 */
function representative(places: readonly NamedPlace[]): readonly NamedPlace[] {
  const isFirst = (of: keyof NamedPlace, index: number) =>
    places.findIndex((one) => one[of] === places[index]?.[of]) === index;
  return places.filter((_place, index) => isFirst('place', index) || isFirst('name', index));
}

/** In the short form. Where a request's transaction begins, a call of the API has had no effect yet. */
const shortOf: Readonly<Record<Victim, (places: readonly NamedPlace[]) => readonly NamedPlace[]>> = {
  api: (places) => places.filter(({ place }) => !/^request \d+ begin$/.test(place)),
  worker: representative,
};

/** Distributes places over the kills; each kind of share, whose repetition takes 15 s, has one of its own. */
function spread(places: readonly NamedPlace[]) {
  const isShare = ({ name }: NamedPlace): boolean => name.startsWith('share');
  const others = places.filter((one) => !isShare(one));
  const kills = Math.max(KILLS, Math.ceil(others.length / HELD));
  return [...new Set(places.filter(isShare).map(({ name }) => name))]
    .map((share) => places.filter(({ name }) => name === share))
    .concat(Array.from({ length: kills }, (_, batch) => others.filter((_place, index) => index % kills === batch)))
    .filter((batch) => batch.length > 0);
}

/** The gap in which no protocol can say whether a mail was sent; it has a test of its own. */
const isMail = ({ place }: NamedPlace): boolean => / (mailing|mailed)$/.test(place);

/**
 * How many mails of a business were being sent, or sent but not known to Temporal, beside the work that was held. An answer
 * has several mails at a time, each in an execution of its own whose next step is \`closeMail\`.
 */
const mailsUnderWay = (passed: readonly string[]): number =>
  passed.filter((place) => place === 'sendAccountMail mailing').length -
  passed.filter((place) => place === 'closeMail 1 begin').length;

/** Each kind of mail with the step that sends it. */
const MAILS = [
  ['share', 'sendQuoteMail'],
  ['share with two', 'sendQuoteMail'],
  ['accept', 'sendAccountMail'],
  ['reject', 'sendAccountMail'],
  ['request changes', 'sendAccountMail'],
  ['write to the client', 'sendAccountMail'],
  ['follow up', 'sendFollowUpMail'],
] as const;

/**
 * Documents are drawn one at a time, and the dispatcher starts the workflows of all businesses: a process held there keeps
 * others from their places, so that these come last, and one of each at most in a kill.
 */
const isDocument = (place: string) => place.startsWith('ensureQuotePdf ');
const isStart = (place: string) => place.startsWith('start ');
const HELD_IN_ORDER = [(place: string) => !isDocument(place) && !isStart(place), isDocument, isStart] as const;

interface Standing {
  readonly place: string;
  readonly call: Call;
}

/**
 * Calls that are made at a time. Shares that are held in the API are made one by one: a share ends after ten seconds, and a
 * slow machine cannot send a dozen in that time.
 */
function heldInOrder(standing: readonly Standing[]): readonly (readonly Standing[])[] {
  const isInApi = ({ place }: Standing) => place.startsWith('request ');
  const isAlone = (one: Standing) => isInApi(one) && one.call.name.startsWith('share');
  const alone = standing.filter(isAlone).map((one) => [one]);
  const others = standing.filter((one) => !isAlone(one));
  return [...alone, ...HELD_IN_ORDER.map((isHeldNow) => others.filter(({ place }) => isHeldNow(place)))];
}

function spreadOfWorker(places: readonly NamedPlace[]) {
  const [others, documents, starts] = HELD_IN_ORDER.map((isHeld) => places.filter(({ place }) => isHeld(place)));
  const heldTogether = (kills: number) =>
    Array.from({ length: kills }, (_, batch) => (others ?? []).filter((_one, index) => index % kills === batch));
  const least = Math.ceil((others ?? []).length / HELD);
  const apart = [documents ?? [], starts ?? []];
  if (isLong()) return [...heldTogether(least), ...apart.flat().map((one) => [one])];
  return heldTogether(Math.max(least, ...apart.map(({ length }) => length))).map((batch, kill) => [
    ...batch,
    ...apart.flatMap((those) => those.slice(kill, kill + 1)),
  ]);
}
