import assert from 'node:assert/strict';
import { auditOf, eventsOf, mailsTo } from '../../journey/business.ts';
import type { Installation } from '../../journey/installation.ts';
import type { Traces, Unfinished } from './points.ts';
import { PATHS, type Subject } from './subject.ts';

/** Work that PostgreSQL shows as unfinished or, of the dispatcher, as not begun. */
export async function unfinishedOf(
  service: Installation,
  { business: { tenantId } }: Subject,
): Promise<Unfinished & { readonly events: number }> {
  const [row] = await service.rows(
    `select (select count(*)::int from webhook_deliveries where tenant_id = $1 and status = 'PENDING') as deliveries,
            (select count(*)::int from automation_logs where tenant_id = $1 and status = 'TRIGGERED') as runs,
            (select count(*)::int from reminders where tenant_id = $1 and status = 'PENDING') as reminders,
            (select count(*)::int from outbox_events
              where tenant_id = $1 and (fanned_out_at is null or dispatched_at is null)) as events`,
    tenantId,
  );
  const count = (name: string) => Number(row?.[name]);
  return {
    deliveries: count('deliveries'),
    runs: count('runs'),
    reminders: count('reminders'),
    events: count('events'),
  };
}

/** All work is finished, in PostgreSQL and in Temporal. */
export async function assertAtRest(service: Installation, subject: Subject): Promise<void> {
  assert.deepEqual(await unfinishedOf(service, subject), { deliveries: 0, runs: 0, reminders: 0, events: 0 });
  const query = `TenantId = '${subject.business.tenantId}' and ExecutionStatus = 'Running'`;
  const open: string[] = [];
  for await (const { workflowId } of service.temporal.workflow.list({ query })) open.push(workflowId);
  assert.deepEqual(open, []);
}

/** Every effect of the PATCH has happened, as often as it should. */
export async function assertConsequences(service: Installation, subject: Subject, traces: Traces): Promise<void> {
  await assertDeliveries(service, subject, traces.requests ?? 1);
  await assertRuns(service, subject, traces);
  await assertNotifications(service, subject);

  const { quote } = subject;
  const [row] = await service.rows('select status from quotes where id = $1', quote.id);
  assert.equal(row?.['status'], 'WON');
  assert.deepEqual(await eventsOf(service, quote), ['quote.created', 'quote.status_changed', 'quote.status_changed']);
  assert.deepEqual(await auditOf(service, quote), ['create', 'status_change', 'status_change', 'update']);
}

/** Three for the PATCH and three for the automation's move, each delivered in one attempt. */
async function assertDeliveries(
  service: Installation,
  { business, receiver }: Subject,
  requests: number,
): Promise<void> {
  const deliveries = await service.rows(
    `select e.sequence as event, count(*)::int as deliveries, count(distinct d.webhook_id)::int as webhooks,
            count(*) filter (where d.status = 'DELIVERED')::int as delivered,
            (select count(*)::int from webhook_attempts a join webhook_deliveries o on o.id = a.delivery_id
              where o.event_id = e.id and a.finished_at is not null and a.number = 1) as attempts
       from webhook_deliveries d join outbox_events e on e.id = d.event_id
      where d.tenant_id = $1 group by e.id, e.sequence order by e.sequence`,
    business.tenantId,
  );
  const three = { deliveries: 3, webhooks: 3, delivered: 3, attempts: 3 };
  assert.deepEqual(
    deliveries.map(({ event: _sequence, ...counts }) => counts),
    [three, three],
  );
  const heard = new Map<string, number>();
  for (const { path, headers } of receiver.calls) {
    if (path === PATHS.fired) continue;
    const key = `${path} ${String(headers['webhook-id'])}`;
    heard.set(key, (heard.get(key) ?? 0) + 1);
  }
  assert.deepEqual(
    [...heard.values()].toSorted((a, b) => a - b),
    [1, 1, 1, 1, 1, requests],
    'requests for each event and endpoint',
  );
}

/** Two automation runs, each action of which had its effect once. */
async function assertRuns(service: Installation, subject: Subject, traces: Traces): Promise<void> {
  const { business, quote, receiver, automationIds } = subject;
  const error = traces.error ?? null;
  const logs = await service.rows(
    'select automation_id, status, error from automation_logs where tenant_id = $1 order by triggered_at, id',
    business.tenantId,
  );
  const [five, move] = automationIds;
  const byAutomation = Object.fromEntries(logs.map(({ automation_id: id, ...log }) => [String(id), log]));
  assert.equal(logs.length, 2);
  assert.deepEqual(byAutomation[five], { status: error === null ? 'COMPLETED' : 'FAILED', error });
  assert.deepEqual(byAutomation[move], { status: 'COMPLETED', error: null });

  assert.equal((await service.rows('select from quote_labels where quote_id = $1', quote.id)).length, 1);
  assert.deepEqual(await service.rows('select status from reminders where quote_id = $1', quote.id), [
    { status: 'FIRED' },
  ]);
  const mails = await mailsTo(service, quote);
  assert.equal(mails.length, traces.mails ?? 1, 'mails');
  assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 1, 'Message-IDs');
  const fired = receiver.calls.filter(({ path }) => path === PATHS.fired);
  assert.equal(fired.length, traces.fired ?? 1, 'calls of fire_webhook');
}

/** Both owners are notified of the win and by the automation; the quote's creator by the reminder. */
async function assertNotifications(service: Installation, { business, userIds }: Subject): Promise<void> {
  const notifications = await service.rows(
    'select user_id, type, count(*)::int as times from notifications where tenant_id = $1 group by 1, 2',
    business.tenantId,
  );
  assert.deepEqual(
    notifications
      .map(({ user_id: user, type, times }) => `${String(user)} ${String(type)} ${String(times)}`)
      .toSorted(),
    [
      `${userIds.creator} automation 1`,
      `${userIds.creator} quote_won 1`,
      `${userIds.creator} reminder 1`,
      `${userIds.owner} automation 1`,
      `${userIds.owner} quote_won 1`,
    ].toSorted(),
  );
}
