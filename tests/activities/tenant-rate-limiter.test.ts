import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createExpiryActivities } from '../../activities/expiry.ts';
import { createActivityPermits } from '../../activities/permits.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { createTenantRateLimiter } from '../../activities/tenant-rate-limiter.ts';
import { newId } from '../../db/ids.ts';
import { service } from '../api/service.ts';

describe('Slots of the rate limiter of tenants', () => {
  it('of 10,000 reservations at the same moment are 250 ms apart at a rate of four a second', () => {
    const limiter = createTenantRateLimiter(4, () => 1_000);

    const waits = Array.from({ length: 10_000 }, () => limiter.reserve('a'));

    assert.deepEqual(waits.slice(0, 5), [0, 250, 500, 750, 1_000]);
    assert.equal(waits.at(-1), 9_999 * 250);
  });

  it('of one tenant are not delayed by the reservations of another', () => {
    let now = 0;
    const limiter = createTenantRateLimiter(4, () => now);
    for (let n = 0; n < 10_000; n += 1) limiter.reserve('large');

    assert.deepEqual([limiter.reserve('other'), limiter.reserve('third'), limiter.reserve('other')], [0, 0, 250]);
    now = 60_000;
    assert.deepEqual([limiter.reserve('other'), limiter.reserve('large')], [0, 10_000 * 250 - now]);
  });

  for (const [what, moments, expected] of [
    ['are seldom', [0, 300, 900, 5_000], [0, 0, 0, 0]],
    ['are in pairs', [0, 0, 1_000, 1_000], [0, 250, 0, 250]],
    ['are a little too fast', [0, 200, 400, 600], [0, 50, 100, 150]],
    ['follow a burst after a pause', [0, 0, 0, 10_000], [0, 250, 500, 0]],
  ] as const) {
    it(`of reservations that ${what} begin after ${expected.join(', ')} ms`, () => {
      let now = 0;
      const limiter = createTenantRateLimiter(4, () => now);

      const waits = moments.map((at) => {
        now = at;
        return limiter.reserve('a');
      });

      assert.deepEqual(waits, expected);
    });
  }
});

describe('The moments of quotes that expire together', () => {
  it('are rate limited: the second is retried by Temporal when it is due, and then proceeds', async () => {
    const { deps } = await service();
    const steps = createExpiryActivities({
      ...deps,
      mailer: createMailer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.mx' }),
      mailFrom: 'a@b.mx',
      mailQuota: null,
      publicUrl: deps.config.PUBLIC_URL,
      permits: createActivityPermits(),
      momentLimiter: createTenantRateLimiter(0.001),
    });
    const tenantId = newId();
    const step = () => steps.announceExpiring({ tenantId, quoteId: newId(), version: 1, at: new Date().toISOString() });
    const run = (attempt: number) => new MockActivityEnvironment({ attempt }).run(step);

    await run(1);
    for (const moment of [1, 2, 3]) {
      await assert.rejects(run(1), ({ type, nextRetryDelay }: { type: string; nextRetryDelay: number }) => {
        assert.equal(type, 'NotDue');
        assert.ok(nextRetryDelay > (moment - 0.1) * 1_000_000, String(nextRetryDelay));
        return true;
      });
    }
    await run(2);
  });
});
