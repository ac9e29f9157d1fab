import assert from 'node:assert/strict';
import { eventually } from '../../eventually.ts';
import type { Installation } from '../../journey/installation.ts';
import { isLong } from '../report.ts';
import type { Stop } from './messages.ts';
import { assertAtRest, assertConsequences, unfinishedOf } from './outcome.ts';
import { approachTo, type CrashPoint, none, dispatcherPoints, requestAt, type Unfinished } from './points.ts';
import { type StoppingProcess, startStoppingProcess } from './stopping-process.ts';
import { type Held, send, type Subject } from './subject.ts';

/** The victim of a crash: the worker, or Temporal while the worker runs on. */
export type Victim = 'worker' | 'Temporal';

/** A point and the business in which a crash happens there. */
export interface Place {
  readonly point: CrashPoint;
  readonly subject: Subject;
}

/**
 * Milliseconds from a crash until all work is done. In the short form other suites run too, so steps that are retried
 * after pauses take longer.
 */
const BACKLOG_MS = isLong() ? 60_000 : 120_000;
/** Milliseconds that a busy machine may need for everything else. */
const TO_REST_MS = 30_000;

/** The pauses between looks: several businesses are observed for seconds, and each look costs what they wait for. */
const LOOK_MS = 250;

/** Replaces the installation's worker by one that can be held. */
export async function startWorker(service: Installation): Promise<StoppingProcess> {
  const worker = await startStoppingProcess('worker', service.env);
  service.processes.worker = worker;
  return worker;
}

/**
 * Brings each business to its point, then crashes once for all of them. Ends when the victim runs again, with the
 * current worker.
 */
export async function crashAt(
  service: Installation,
  worker: StoppingProcess,
  places: readonly Place[],
  victim: Victim,
): Promise<StoppingProcess> {
  const held = await bringTo(service, worker, places);
  if (victim === 'worker') {
    await worker.kill();
    assert.equal(worker.endedBy(), 'SIGKILL');
    return startWorker(service);
  }
  const { process: server } = service.parts.temporal;
  server.kill();
  assert.deepEqual(await server.exited, { code: null, signal: 'SIGKILL' });
  // Their next calls find no server.
  await worker.standAt([]);
  for (const request of held) request.answer();
  await service.startTemporal();
  return worker;
}

/**
 * Points in steps come first: a step may be held for long, because nothing is locked and nobody waits; everything else
 * becomes idle. Then the points of the dispatcher, where holding stops everything. From there each has only a moment to
 * its point. Returns the requests that receivers hold.
 */
async function bringTo(
  service: Installation,
  worker: StoppingProcess,
  places: readonly Place[],
): Promise<readonly Held[]> {
  const [dispatched, steps] = [places.filter(isInDispatcher), places.filter((place) => !isInDispatcher(place))];
  const stopsAt = (of: readonly Place[], name: (point: CrashPoint) => string): Stop[] =>
    of.map(({ point, subject }) => ({ place: name(point), tenantId: subject.business.tenantId }));
  const arrive = async (stops: readonly Stop[]) => {
    await Promise.all(stops.map((stop) => worker.hasComeTo(stop)));
  };
  const sendAll = (of: readonly Place[]) => Promise.all(of.map(({ subject }) => send(service, subject)));
  const placeOf = ({ place }: CrashPoint) => place;

  const approaches = stopsAt(steps, (point) => approachTo(point).place);
  const inDispatcher = stopsAt(dispatched, placeOf);
  await worker.standAt([...approaches, ...inDispatcher]);
  await sendAll(steps);
  await arrive(approaches);
  await Promise.all(steps.map((place) => assertOthersRest(service, place, approachTo(place.point).unfinished)));
  await Promise.all(steps.map((place) => assertDispatcherRests(service, place)));
  await sendAll(dispatched);
  await arrive(inDispatcher);
  await Promise.all(dispatched.map((place) => assertOthersRest(service, place, place.point.unfinished)));

  const requests = steps.flatMap(({ point, subject }) => {
    const which = requestAt(point);
    return which ? [subject.hold(which)] : [];
  });
  const inWorker = stopsAt(
    steps.filter(({ point }) => !requestAt(point)),
    placeOf,
  );
  await worker.standAt([...inWorker, ...inDispatcher]);
  await arrive(inWorker);
  await eventually(() => {
    for (const request of requests) assert.equal(request.isHeld(), true, 'no request came');
  }, TO_REST_MS);
  await Promise.all(places.map((place) => assertOthersRest(service, place, place.point.unfinished)));
  return requests;
}

/** Only held work is left, so that the crash interrupts nothing else. */
const assertOthersRest = (service: Installation, { point, subject }: Place, left: Unfinished) =>
  eventually(
    async () => {
      const { events: _events, ...rows } = await unfinishedOf(service, subject);
      const isNotFannedOut = point.mayBeNotFannedOut && rows.deliveries + rows.runs === 0;
      assert.deepEqual(rows, isNotFannedOut ? none : left, point.place);
    },
    TO_REST_MS,
    LOOK_MS,
  );

/** The dispatcher is idle. */
const assertDispatcherRests = (service: Installation, { point, subject }: Place) =>
  eventually(
    async () => {
      const { events } = await unfinishedOf(service, subject);
      assert.equal(events, 0, `${point.place}: events wait for the dispatcher`);
    },
    TO_REST_MS,
    LOOK_MS,
  );

const isInDispatcher = ({ point }: Place): boolean => dispatcherPoints.includes(point);

/** All work has ended with the right result. */
export async function assertRecovered(service: Installation, { point, subject }: Place, victim: Victim): Promise<void> {
  try {
    await eventually(() => assertAtRest(service, subject), BACKLOG_MS, 2 * LOOK_MS);
    await assertConsequences(service, subject, victim === 'worker' ? (point.ifWorkerDies ?? {}) : {});
  } catch (cause) {
    throw new Error(`after a crash of ${victim} at "${point.place}": ${point.known}\n${String(cause)}`, { cause });
  }
}
