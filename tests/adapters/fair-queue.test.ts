import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { createFairQueue, type FairQueueOptions, Throttled } from '../../adapters/fair-queue.ts';
import { ServiceError } from '../../domain/errors.ts';

const queueOf = (more: Partial<FairQueueOptions> = {}) =>
  createFairQueue({ permits: 2, maxWaitingPerKey: 3, maxWaiting: 5, retryAfterSeconds: 2, ...more });

/** Work that runs until the test ends it. */
function work() {
  let isBegun = false;
  let end = () => {};
  const done = new Promise<void>((resolve) => (end = resolve));
  const run = () => {
    isBegun = true;
    return done;
  };
  return {
    run,
    end,
    get isBegun() {
      return isBegun;
    },
  };
}

const refusedAs = (kind: string) => (error: unknown) =>
  error instanceof ServiceError && error.kind === kind && error.retryAfterSeconds !== undefined;

describe('createFairQueue', () => {
  it('serves a second key while the first one has a long queue', async () => {
    const queue = queueOf();
    const [first, second, other] = [work(), work(), work()];
    const all = [queue.run({ key: 'a' }, first.run), queue.run({ key: 'a' }, second.run)];
    all.push(queue.run({ key: 'b' }, other.run));

    assert.deepEqual([first.isBegun, second.isBegun, other.isBegun], [true, false, true]);

    [first, second, other].forEach(({ end }) => end());
    await Promise.all(all);
  });

  it('grants permits round-robin between keys, and in order of arrival within a key', async () => {
    const queue = queueOf();
    const order: string[] = [];
    const blocker = work();
    const step = (name: string) => async () => {
      order.push(name);
      await setImmediate();
    };

    const all = [
      queue.run({ key: 'blocker' }, blocker.run),
      ...['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => queue.run({ key: name.charAt(0) }, step(name))),
    ];
    await Promise.all(all.slice(1));

    assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
    blocker.end();
    await Promise.all(all);
  });

  it('refuses work beyond the limit of its key with 429, and beyond the total limit with 503', async () => {
    const queue = queueOf();
    const blockers = [work(), work()];
    const running = blockers.map(({ run }, index) => queue.run({ key: `blocker ${index}` }, run));
    const nothing = () => Promise.resolve();
    const waiting = ['a', 'a', 'a', 'b', 'b'].map((key) => queue.run({ key }, nothing));

    await assert.rejects(queue.run({ key: 'a' }, nothing), refusedAs('rate_limited'));
    await assert.rejects(queue.run({ key: 'c' }, nothing), refusedAs('unavailable'));

    blockers.forEach(({ end }) => end());
    await Promise.all([...running, ...waiting]);
    await queue.run({ key: 'c' }, nothing);
  });

  it('drops waiting work whose caller disconnected, and serves the next', async () => {
    const queue = queueOf();
    const [blocker, left, next] = [work(), work(), work()];
    const caller = new AbortController();
    const running = queue.run({ key: 'a' }, blocker.run);
    const dropped = queue.run({ key: 'a', signal: caller.signal }, left.run);
    const served = queue.run({ key: 'a' }, next.run);

    caller.abort();
    await assert.rejects(dropped, refusedAs('unavailable'));
    blocker.end();
    next.end();
    await Promise.all([running, served]);

    assert.equal(left.isBegun, false);
  });

  it('neither refuses nor drops work with wait "always"', async () => {
    const queue = queueOf({ maxWaitingPerKey: 0 });
    const [blocker, kept] = [work(), work()];
    const caller = new AbortController();
    const running = queue.run({ key: 'a' }, blocker.run);
    const waiting = queue.run({ key: 'a', wait: 'always', signal: caller.signal }, kept.run);

    caller.abort();
    blocker.end();
    kept.end();

    await Promise.all([running, waiting]);
    assert.equal(kept.isBegun, true);
  });

  it('fails work with wait "never" as throttled, only while its key has no permit', async () => {
    const queue = queueOf();
    const blocker = work();
    const running = queue.run({ key: 'a', wait: 'never' }, blocker.run);
    const quick = (key: string) => queue.run({ key, wait: 'never' }, () => Promise.resolve(key));

    await assert.rejects(quick('a'), Throttled);
    assert.equal(await quick('b'), 'b');

    blocker.end();
    await running;
    assert.equal(await quick('a'), 'a');
  });

  it('grants one key no more permits than its own limit', async () => {
    const queue = queueOf({ permits: 4, permitsPerKey: 2 });
    const begun = ['a', 'a', 'a', 'b', 'b'].map((key) => ({ key, ...work() }));
    const jobs = begun.map((job) =>
      Object.assign(job, { outcome: queue.run({ key: job.key, wait: 'never' }, job.run) }),
    );

    await assert.rejects(jobs[2]?.outcome ?? assert.fail(), Throttled);
    assert.equal(jobs.filter(({ key }) => key === 'b').length, 2);

    jobs.forEach(({ end }) => end());
    await Promise.all(jobs.filter((_, i) => i !== 2).map(({ outcome }) => outcome));
  });

  it('releases the permit of failed work', async () => {
    const queue = queueOf();

    await assert.rejects(
      queue.run({ key: 'a' }, () => Promise.reject(new Error('no'))),
      /no/,
    );

    assert.equal(await queue.run({ key: 'a' }, () => Promise.resolve('yes')), 'yes');
  });

  it('runs all work, never above its permits, all but one for one key, and each key within one round', async () => {
    const arrivals = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 3 })), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 4 }), arrivals, async (permits, jobs) => {
        const depths: number[] = [];
        const watch = { depth: (waiting: number) => depths.push(waiting), waited: () => {}, refused: () => {} };
        const queue = queueOf({ permits, maxWaitingPerKey: 60, maxWaiting: 60, watch });
        const running: number[] = [];
        const started: number[] = [];
        await Promise.all(
          jobs.map(([key, ticks]) =>
            queue.run({ key: String(key) }, async () => {
              running.push(key);
              started.push(key);
              assert.ok(running.length <= permits);
              assert.ok(running.filter((other) => other === key).length <= permits - 1);
              for (let tick = 0; tick < ticks; tick += 1) await setImmediate();
              running.splice(running.indexOf(key), 1);
            }),
          ),
        );

        assert.equal(started.length, jobs.length);
        assert.equal(depths.at(-1) ?? 0, 0);
        // All arrived together: before the first job of a key, no other key starts more than permits and rounds allow.
        for (const key of new Set(started)) {
          const before = started.slice(0, started.indexOf(key));
          const turns = Math.max(0, ...[0, 1, 2, 3, 4].map((other) => before.filter((one) => one === other).length));
          assert.ok(turns <= permits, `${key} waited for ${turns} turns of one key`);
        }
      }),
      { numRuns: 200 },
    );
  });
});
