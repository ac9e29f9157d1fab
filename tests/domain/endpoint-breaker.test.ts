import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  onProbe,
  afterFailure,
  type EndpointHealth,
  FAILURES_TO_OPEN,
  HEALTHY,
  circuitOpenUntil,
  reserveSlot,
} from '../../domain/endpoint-breaker.ts';

const MINUTE_MS = 60_000;
const at = (ms: number) => new Date(Date.UTC(2026, 10, 28) + ms);

/** Seconds between what happens, and whether the endpoint answers 2xx when it is called. */
const story = fc.array(fc.record({ afterMs: fc.nat({ max: 90_000 }), works: fc.boolean() }), { maxLength: 60 });

/** Calls an endpoint whenever it may be called, and tells when that was and how it went. */
function live(steps: readonly { afterMs: number; works: boolean }[]) {
  let health: EndpointHealth = HEALTHY;
  let now = at(0);
  return steps.flatMap(({ afterMs, works }) => {
    now = new Date(now.getTime() + afterMs);
    if (circuitOpenUntil(health, now)) return [];
    const before = health.consecutiveFailures;
    health = { ...health, ...onProbe(health, now, MINUTE_MS) };
    health = works ? HEALTHY : { ...health, ...afterFailure(health, now, MINUTE_MS) };
    return [{ at: now, before, works }];
  });
}

describe('The breaker of an endpoint', () => {
  it('calls an endpoint that failed five times in a row once a minute at most', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const calls = live(steps);
        const apart = calls.slice(1).map((call, i) => call.at.getTime() - (calls[i]?.at.getTime() ?? 0));
        calls.slice(1).forEach(({ before }, i) => {
          assert.ok(before < FAILURES_TO_OPEN || (apart[i] ?? 0) >= MINUTE_MS, `${apart[i]} ms after ${before}`);
        });
      }),
    );
  });

  it('never leaves an endpoint alone that worked when it was last called, nor one that failed less often', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const failing = steps.map((step) => ({ ...step, works: false }));
        assert.equal(live(steps.map((step) => ({ ...step, works: true }))).length, steps.length);
        assert.ok(live(failing).length >= Math.min(FAILURES_TO_OPEN, steps.length), 'too early');
      }),
    );
  });

  it('counts what was under way when it opened, and moves the next probe no further for it', () => {
    const open = { ...HEALTHY, consecutiveFailures: 4, failingSince: at(0) };
    const opened: EndpointHealth = { ...open, ...afterFailure(open, at(1_000), MINUTE_MS) };

    const later = { ...opened, ...afterFailure(opened, at(9_000), MINUTE_MS) };

    assert.deepEqual([later.consecutiveFailures, later.nextProbeAt, later.failingSince], [6, at(61_000), at(0)]);
  });
});

describe('Retry slots of an endpoint', () => {
  it('are `gapMs` apart however many deliveries wait, and none is after `latest`', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ arrivesMs: fc.nat({ max: 1_000 }), patienceMs: fc.integer({ min: 300, max: 90_000 }) })),
        fc.integer({ min: 1, max: 200 }),
        (arrivals, gapMs) => {
          let nextSlotAt: Date | null = null;
          let now = 0;
          const queued: number[] = [];
          for (const { arrivesMs, patienceMs } of arrivals) {
            now += arrivesMs;
            const latest = at(now + patienceMs);
            const turn: ReturnType<typeof reserveSlot> = reserveSlot(
              { ...HEALTHY, nextSlotAt },
              { from: at(now), gapMs, latest },
            );
            assert.ok(turn.at <= latest, 'too long');
            if (turn.nextSlotAt !== null && turn.nextSlotAt !== nextSlotAt) queued.push(turn.nextSlotAt.getTime());
            ({ nextSlotAt } = turn);
          }
          assert.ok(
            queued.slice(1).every((ms, i) => ms - (queued[i] ?? 0) >= gapMs),
            queued.join(),
          );
        },
      ),
    );
  });
});
