import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import { delivering } from './delivering.ts';
import { dispatcher, rows } from '../worker/dispatcher-world.ts';

describe('zz', () => {
  it('traces', async () => {
    const app = await service();
    const business = await build.business();
    const world = delivering({ app, business });
    await using endpoint = await receiver();
    const { id } = await world.webhook(endpoint.url);
    const running = await dispatcher();
    const nudge = () => void rows("select pg_notify('outbox', '')");
    const one = async () => {
      await app.deps.withTenant(business.tenantId, (trx) =>
        recordEvent(trx, { type: 'product.created', data: { product: { id: 'x' } }, requestId: null }),
      );
      nudge();
      let found: any[] = [];
      for (let i = 0; i < 100 && !found.length; i++) {
        await sleep(50);
        found = await rows(
          `select id from webhook_deliveries where webhook_id = $1 and dispatched_at is not null and status = 'PENDING'`,
          id,
        );
      }
      console.log(await world.attempt({ tenantId: business.tenantId, deliveryId: found[0].id }));
    };
    await one();
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await one();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    for (const { url, functions } of result) {
      if (url.includes('node_modules') || !url.includes('/h21/delivery/')) continue;
      const ran = functions
        .filter((f) => f.functionName !== '' || f.ranges[0]!.startOffset > 0)
        .filter((f) => f.ranges[0]!.count > 0);
      if (ran.length)
        console.log(url.split('/h21/delivery/')[1]?.split('?')[0], ran.map((f) => f.functionName).join(','));
    }
    await running.stop();
  });
});
