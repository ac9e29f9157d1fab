import assert from 'node:assert/strict';
import type { AutomationAction, Trigger } from '../../domain/automation.ts';
import type { Receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Business, register } from '../journey/business.ts';
import type { Installation } from '../journey/installation.ts';

/** A large amount of waiting work: deliveries for a failing endpoint, delayed automations, reminders, expiries. */

/** Webhooks of each business: that many deliveries per quote. */
export const WEBHOOKS = 5;
/** Quotes of each business that are SENT, and so have a reminder of an automation and one of their expiry. */
export const SENT = 5;
export const DELAY_MINUTES = 120;
const BUSINESSES = 2;

export interface WaitingWork {
  readonly businesses: readonly Business[];
  readonly tenantIds: readonly string[];
  readonly quotes: number;
  readonly deliveries: number;
  readonly sent: number;
}

/** Creates that many quotes over the businesses, and returns once all their work is in Temporal and waits there. */
export async function waitingWork(service: Installation, endpoint: Receiver, quotes: number): Promise<WaitingWork> {
  const businesses = [];
  for (let i = 0; i < BUSINESSES; i += 1) businesses.push(await makeBusiness(service, endpoint, quotes / BUSINESSES));
  const work = {
    businesses,
    tenantIds: businesses.map(({ tenantId }) => tenantId),
    quotes,
    deliveries: quotes * WEBHOOKS,
    sent: SENT * BUSINESSES,
  };
  await eventually(() => assertWaiting(service, work), 300_000);
  return work;
}

async function makeBusiness(service: Installation, endpoint: Receiver, quotes: number): Promise<Business> {
  const business = await register(service);
  const post = async (path: string, body: object) => {
    const res = await service.http.post(path, body, business.owner);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body;
  };
  const { id: labelId } = await post('/api/labels', { name: 'Seguimiento', color: '#336699' });
  const automation = (trigger: Trigger, delayMinutes: number, actions: readonly AutomationAction[]) =>
    post('/api/automations', { name: trigger, trigger, delayMinutes, actions });

  for (let i = 0; i < WEBHOOKS; i += 1) {
    await post('/api/webhooks', { url: `${endpoint.url}/${i}`, events: ['quote.created'] });
  }
  await automation('QUOTE_CREATED', DELAY_MINUTES, [
    { type: 'send_notification', title: 'Seguimiento', body: 'Llamar' },
    { type: 'add_label', labelId },
  ]);
  await automation('QUOTE_SENT', 0, [{ type: 'create_reminder', delayMinutes: 1440, message: 'Insistir' }]);

  const email = `${business.slug}@cliente.test`;
  const { id: clientId } = await post('/api/clients', { contactName: 'Laura Méndez', email });
  for (let i = 0; i < quotes; i += 1) {
    const items = [{ productName: 'Silla de roble', quantity: 2, unitPrice: 100 }];
    const { id } = await post('/api/quotes', { clientId, items });
    if (i < SENT) await service.http.patch(`/api/quotes/${id}/status`, { status: 'SENT' }, business.owner);
  }
  return business;
}

/** Everything is dispatched, no endpoint has accepted anything, and nothing that waits is over. */
async function assertWaiting(service: Installation, work: WaitingWork): Promise<void> {
  const { tenantIds, deliveries, quotes, sent } = work;
  const [found] = await service.rows(
    `select
      (select count(*)::int from webhook_deliveries
        where tenant_id = any ($1) and status = 'PENDING') as deliveries,
      (select count(distinct d.webhook_id)::int from webhook_deliveries d
         join webhook_attempts a on a.tenant_id = d.tenant_id and a.delivery_id = d.id
        where d.tenant_id = any ($1) and a.finished_at is not null) as tried,
      (select count(*)::int from automation_logs
        where tenant_id = any ($1) and status = 'TRIGGERED' and dispatched_at is not null) as delays,
      (select count(*)::int from reminders where tenant_id = any ($1) and status = 'PENDING') as reminders,
      (select count(*)::int from expiry_reminders where tenant_id = any ($1) and reminded_at is null) as expiries,
      (select count(*)::int from automation_logs where tenant_id = any ($1) and status = 'COMPLETED') as completed`,
    tenantIds,
  );
  assert.deepEqual(found, {
    deliveries,
    tried: WEBHOOKS * BUSINESSES,
    delays: quotes,
    reminders: sent,
    expiries: sent,
    completed: sent,
  });
}
