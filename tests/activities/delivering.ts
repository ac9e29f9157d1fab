import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivityPermits } from '../../activities/permits.ts';
import { createDeliverActivities } from '../../activities/webhooks/deliver.ts';
import { newId } from '../../db/ids.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import type { DeliveryRef, DeliveryResult } from '../../workflows/contract.ts';
import type * as build from '../api/build.ts';
import type { Service } from '../api/service.ts';
import { rows } from '../worker/dispatcher-world.ts';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';

/** Deliveries made try by try, as Temporal would make them, without its waiting. */

export const BODY = JSON.stringify({
  event: 'client.created',
  timestamp: '2026-12-15T18:30:00.000Z',
  data: { client: { id: 'c1', contactName: 'Ñandú «Ω» 🦤', companyName: null, email: null, phone: null } },
});

export interface Tried {
  readonly outcome: DeliveryResult['outcome'] | null;
  /** Of the failure that says when the next try is. */
  readonly type: string | null;
  readonly delayMs: number | null;
}

export function delivering({ app, business }: { app: Service; business: build.Business }) {
  const { deps } = app;
  let wakeUps = 0;
  const activities = createDeliverActivities({
    ...deps,
    permits: createActivityPermits(),
    outbound: createOutboundHttp(deps.config),
    pausesS: [5, 300],
    // More than any test takes.
    probeS: 60,
    wakeDispatcher: () => {
      wakeUps += 1;
    },
  });
  return {
    /** How often the dispatcher was woken because a place at an endpoint was free. */
    wakeUps: () => wakeUps,

    async webhook(url: string, at = business): Promise<{ id: string; secret: string }> {
      const res = await app.post('/api/webhooks', { url, events: ['product.created'] }, at.owner);
      assert.equal(res.status, 201);
      return res.body;
    },

    /** A delivery that is dispatched, as far as the dispatcher can tell. */
    async delivery(webhookId: string, { tenantId } = business, fields: { replay?: number } = {}) {
      const row = { id: newId(), tenantId, webhookId, event: 'client.created', eventId: newId(), payload: BODY };
      await deps.withTenant(tenantId, (trx) =>
        WebhookDelivery.query(trx).insert({ ...row, ...fields, sequence: '7', dispatchedAt: new Date() }),
      );
      return { ...row, ref: { tenantId, deliveryId: row.id } };
    },

    /** Runs one try of the activity: its result, or the failure that says when the next one is. */
    async attempt(ref: DeliveryRef): Promise<Tried> {
      const env = new MockActivityEnvironment();
      try {
        const step = () => activities.deliver(ref);
        const { outcome } = await env.run<[], DeliveryResult, typeof step>(step);
        return { outcome, type: null, delayMs: null };
      } catch (error) {
        assert.ok(error instanceof ApplicationFailure, String(error));
        assert.equal(error.nonRetryable, false);
        return { outcome: null, type: error.type ?? null, delayMs: Number(error.nextRetryDelay) };
      }
    },
  };
}

export const attemptsOf = (deliveryId: string) =>
  rows(
    `select number, status_code, error_code, finished_at is not null as finished from webhook_attempts
      where delivery_id = $1 order by number`,
    deliveryId,
  );

export const becomeDue = (deliveryId: string) =>
  rows("update webhook_deliveries set due_at = now() - interval '1 second' where id = $1", deliveryId);

/** What a receiver answers. */
export const answer =
  (status: number, headers: Record<string, string> = {}) =>
  (res: ServerResponse): void => {
    res.writeHead(status, headers).end('no');
  };
