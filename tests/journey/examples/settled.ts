import assert from 'node:assert/strict';
import { SUBSCRIBABLE_EVENTS } from '../../../domain/event-types.ts';
import { eventually } from '../../eventually.ts';
import { rows } from '../../worker/dispatcher-world.ts';

/** Events whose effects are not complete, and automation runs, mails and imports that go on. */
const UNFINISHED = `
  select (select count(*) from outbox_events e where e.tenant_id = $1
            and (e.dispatched_at is null or (e.type = any($2) and not exists (
              select 1 from webhook_deliveries d where d.event_id = e.id and d.status = 'DELIVERED'))))
       + (select count(*) from automation_logs where tenant_id = $1 and status = 'TRIGGERED')
       + (select count(*) from mails where tenant_id = $1 and status = 'PENDING') as count`;

/** Waits until everything that the business has caused so far is done: what it reads then is the same in every run. */
export const settled = (tenantId: string) => (): Promise<void> =>
  eventually(async () => {
    const [row] = await rows(UNFINISHED, tenantId, SUBSCRIBABLE_EVENTS);
    assert.equal(Number(row?.['count']), 0);
    // On a busy machine the first call of a delivery may time out; the next comes a minute later.
  }, 240_000);
