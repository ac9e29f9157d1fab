import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { receiver } from '../../api/receiver.ts';
import { eventually } from '../../eventually.ts';
import { testStack } from '../../stack.ts';
import { rows } from '../../worker/dispatcher-world.ts';
import type { Recorder } from './recorder.ts';
import { ITEM, type Made, UNKNOWN } from './refusal-world.ts';

/** Refusals because another system cannot be reached, or is being called. */
export async function deliveries({ call, look }: Recorder, made: Made): Promise<void> {
  const { webhook, palma } = made;
  const { data } = await look(`/api/webhooks/${webhook}/deliveries?limit=100`);
  const params = { id: webhook, deliveryId: data.at(-1).id };
  const route = 'POST /api/webhooks/:id/deliveries/:deliveryId/replay';
  await call('GET /api/webhooks/:id/deliveries/:deliveryId', {
    params: { ...params, deliveryId: UNKNOWN },
    status: 404,
  });
  await call('PUT /api/webhooks/:id', { params: { id: webhook }, body: { isActive: false }, isExample: false });
  await call(route, { params, status: 409 });
  await rows('update webhook_deliveries set bodies_purged_at = now() where id = $1', params.deliveryId);
  await call(route, { params, status: 410 });

  const away = await call('POST /api/webhooks', {
    body: { url: 'http://127.0.0.1:1/', events: ['quote.sent'] },
    isExample: false,
  });
  await call('POST /api/webhooks/:id/test', { params: { id: away.id }, status: 502 });
  await call('DELETE /api/webhooks/:id', { params: { id: away.id }, isExample: false });
  await inProgress({ call });

  const quote = await call('POST /api/quotes', { body: { clientId: palma, items: [ITEM] }, isExample: false });
  const { inbox } = await testStack();
  inbox.setMode('reject');
  await call('POST /api/quotes/:id/share', { params: { id: quote.id }, status: 500 });
  inbox.setMode('accept');
}

/** While a test of a webhook waits for its endpoint, another request with the same key is refused. */
async function inProgress({ call }: Pick<Recorder, 'call'>): Promise<void> {
  const waiting: ServerResponse[] = [];
  await using slow = await receiver((res) => void waiting.push(res));
  const { id } = await call('POST /api/webhooks', {
    body: { url: slow.url, events: ['quote.sent'] },
    isExample: false,
  });
  const headers = { 'Idempotency-Key': 'prueba-1' };
  const first = call('POST /api/webhooks/:id/test', { params: { id }, headers, isExample: false });
  await eventually(() => assert.equal(waiting.length, 1));
  await call('POST /api/webhooks/:id/test', { params: { id }, headers, status: 409 });
  for (const res of waiting) res.end('ok');
  await first;
  await call('DELETE /api/webhooks/:id', { params: { id }, isExample: false });
}
