import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Client as PostgresClient } from 'pg';
import { ROOT } from '../../bench/lib/commit.ts';
import { freePort } from '../../dev/ports.ts';
import { newId } from '../../db/ids.ts';
import { cookieOf, PASSWORD } from '../api/build.ts';
import { type Call, receiver } from '../api/receiver.ts';
import { httpClient } from '../api/service.ts';
import type { Message } from '../../dev/inbox/store.ts';
import { eventually } from '../eventually.ts';
import { oldVersion, startStack, type StartedStack } from './old-stack.ts';
import { report } from './report.ts';

/** The commit that the stack is upgraded from; the default has batches of deliveries, which this version has not. */
const FROM = process.env['UPGRADE_FROM'] ?? 'dbea1d8'; // oxlint-disable-line node/no-process-env -- a setting of this test
const QUOTES = 50;
/** Endpoints of the webhooks: how each treats its calls before the upgrade. Afterwards all answer 200. */
const ENDPOINTS = ['slow', 'slower', 'broken', 'hanging'] as const;
const SLOW_MS = { slow: 700, slower: 900 } as const;
const DELAY_MINUTES = 3;
const STEP_MS = 15 * 60_000;
/** Attempts whose response the stopping worker may not have recorded. */
const MAX_REPEATED = 16;
const SETTINGS = {
  SIGNUP_PLAN: 'PRO',
  RATE_LIMITS: 'off',
  WEBHOOK_RETRY_SECONDS: Array.from({ length: 30 }, () => '5').join(','),
};

/** F25: a stack with work of every kind is stopped, upgraded and started again. */
describe('an upgrade of a stack with waiting work', function () {
  this.timeout(60 * 60_000);

  it('every delivery arrives, delayed work happens once, and no execution of the former version stays open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quoting-upgrade-'));
    const dataDir = join(folder, 'data');
    const settings = { ...SETTINGS, PORT: String(await freePort()) };
    let isUpgraded = false;
    await using endpoint = await receiver((res, { path }) => {
      const kind = ENDPOINTS.find((name) => path.endsWith(`/${name}`));
      if (isUpgraded) res.end('ok');
      else if (kind === 'slow' || kind === 'slower') setTimeout(() => res.end('ok'), SLOW_MS[kind]);
      else if (kind === 'broken') res.writeHead(503).end();
    });
    let stack: StartedStack | undefined;
    try {
      stack = await startStack(oldVersion(FROM, join(folder, 'old')), dataDir, settings);
      const business = await seed(stack.api, endpoint.url);
      const waiting = await untilInBatches(stack, business.tenantId);
      await stack.stop();
      stack = undefined;
      const callsBefore = endpoint.calls.length;
      isUpgraded = true;

      stack = await startStack(ROOT, dataDir, settings);
      const upgraded = stack;
      await eventually(() => assertDone(upgraded, business), STEP_MS);
      const terminated = await assertNoFormer(upgraded);
      // A second effect would come late.
      await sleep(70_000);
      await assertDone(upgraded, business);
      const repeated = assertArrived(endpoint.calls, await deliveryIds(upgraded, business.tenantId), callsBefore);
      await report({
        fault: 'F25 upgrade of a stack with waiting work',
        times: 1,
        kills: 0,
        invariants: 'one recorded success, body and effect each; no former execution open',
        result: `${QUOTES * ENDPOINTS.length} deliveries, ${waiting} in batches; ${terminated} former executions terminated or replaced; ${repeated} bodies arrived twice`,
        lost: 0,
        doubled: 0,
      });
    } finally {
      await stack?.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

interface Business {
  readonly tenantId: string;
  readonly clientEmail: string;
}

/** Everything over HTTP, as any version takes it. */
async function seed(api: string, endpointUrl: string): Promise<Business> {
  const http = httpClient(api);
  const email = `${newId()}@dueno.test`;
  const registered = await http.post('/api/auth/register', {
    businessName: 'Muebles Roble',
    name: 'Diana Ríos',
    email,
    password: PASSWORD,
  });
  assert.equal(registered.status, 201, JSON.stringify(registered.body));
  const owner = cookieOf(registered.headers);
  const post = async (path: string, body: object) => {
    const res = await http.post(path, body, owner);
    assert.equal(res.status, 201, `${path}: ${JSON.stringify(res.body)}`);
    return res.body;
  };
  for (const name of ENDPOINTS) {
    await post('/api/webhooks', { url: `${endpointUrl}/${name}`, events: ['quote.created'] });
  }
  const clientEmail = `${newId()}@cliente.test`;
  const trigger = 'QUOTE_SENT';
  const mail = { type: 'send_email', to: 'client', subject: 'Seguimiento', body: 'Seguimos a sus órdenes.' };
  await post('/api/automations', { name: 'Correo', trigger, delayMinutes: DELAY_MINUTES, actions: [mail] });
  const reminder = { type: 'create_reminder', delayMinutes: DELAY_MINUTES, message: 'Insistir' };
  await post('/api/automations', { name: 'Recordatorio', trigger, actions: [reminder] });
  const { id: clientId } = await post('/api/clients', { contactName: 'Laura Méndez', email: clientEmail });
  const items = [{ productName: 'Silla de roble', quantity: 2, unitPrice: 100 }];
  const first = await post('/api/quotes', { clientId, items });
  const sent = await http.patch(`/api/quotes/${first.id}/status`, { status: 'SENT' }, owner);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  // At the same time, so that more deliveries wait than the former version starts one by one.
  await Promise.all(Array.from({ length: QUOTES - 1 }, () => post('/api/quotes', { clientId, items })));
  return { tenantId: registered.body.user.tenantId, clientEmail };
}

/** Waits until all work is in Temporal, and returns how many deliveries are in batches then. */
const untilInBatches = (stack: StartedStack, tenantId: string): Promise<number> =>
  eventually(async () => {
    const [found] = await rows(
      stack,
      `select (select count(*)::int from webhook_deliveries where tenant_id = $1) as deliveries,
         (select count(*)::int from webhook_deliveries where tenant_id = $1 and status = 'PENDING'
            and handed_over_at is not null and batch_id is not null and left_batch_at is null) as carried,
         (select count(*)::int from reminders where tenant_id = $1 and status = 'PENDING') as reminders,
         (select count(*)::int from automation_logs where tenant_id = $1 and status = 'TRIGGERED') as delayed,
         (select count(*)::int from expiry_reminders where tenant_id = $1 and reminded_at is null) as expiries`,
      tenantId,
    );
    const { carried, ...others } = found ?? {};
    assert.deepEqual(others, { deliveries: QUOTES * ENDPOINTS.length, reminders: 1, delayed: 1, expiries: 1 });
    assert.ok(Number(carried) > 0, 'no delivery is in a batch');
    return Number(carried);
  }, STEP_MS);

/** Each of the 200 has one recorded success; the delayed automation and the reminder had one effect each. */
async function assertDone(stack: StartedStack, { tenantId, clientEmail }: Business): Promise<void> {
  const [found] = await rows(
    stack,
    `select (select count(*)::int from webhook_deliveries where tenant_id = $1) as deliveries,
       (select count(*)::int from webhook_deliveries where tenant_id = $1 and status = 'DELIVERED') as delivered,
       (select count(*)::int from webhook_attempts where tenant_id = $1 and status_code = 200) as successes,
       (select count(distinct delivery_id)::int from webhook_attempts where tenant_id = $1 and status_code = 200) as succeeded,
       (select count(*)::int from automation_logs where tenant_id = $1) as runs,
       (select count(*)::int from automation_logs where tenant_id = $1 and status = 'COMPLETED') as completed,
       (select count(*)::int from reminders where tenant_id = $1) as reminders,
       (select count(*)::int from reminders where tenant_id = $1 and status = 'FIRED') as fired,
       (select count(*)::int from notifications where tenant_id = $1 and type = 'reminder') as notified,
       (select count(*)::int from expiry_reminders where tenant_id = $1 and reminded_at is null) as expiries`,
    tenantId,
  );
  const all = QUOTES * ENDPOINTS.length;
  assert.deepEqual(found, {
    deliveries: all,
    delivered: all,
    successes: all,
    succeeded: all,
    runs: 2,
    completed: 2,
    reminders: 1,
    fired: 1,
    notified: 1,
    expiries: 1,
  });
  // As dev/inbox lists them.
  const messages = (await (await fetch(stack.inboxApi ?? '')).json()) as readonly Message[];
  assert.equal(messages.filter(({ to }) => to.includes(clientEmail)).length, 1, 'mails of the delayed automation');
}

/** Only executions with a timer are open, on the queue that workers poll. Returns how many of the former ones were ended. */
async function assertNoFormer(stack: StartedStack): Promise<number> {
  const connection = await Connection.connect({ address: stack.temporalAddress });
  try {
    const { workflow } = new TemporalClient({ connection });
    return await eventually(async () => {
      const open: Record<string, number> = {};
      for await (const { type, taskQueue } of workflow.list({ query: "ExecutionStatus = 'Running'" })) {
        open[`${taskQueue} ${type}`] = (open[`${taskQueue} ${type}`] ?? 0) + 1;
      }
      const { 'workflows quoteLifecycle': lifecycles = 0, 'workflows expiryReminder': expiries = 0, ...others } = open;
      assert.deepEqual(others, {});
      assert.ok(lifecycles >= QUOTES, `${lifecycles} lifecycles`);
      assert.ok(expiries >= 1, 'no expiry reminder');
      const { count } = await workflow.count("ExecutionStatus = 'Terminated'");
      return count;
    }, STEP_MS);
  } finally {
    await connection.close();
  }
}

/** Every body arrived at an endpoint that answered 200. Returns how many of those did twice. */
function assertArrived(calls: readonly Call[], ids: readonly string[], callsBefore: number): number {
  const taken = new Map<string, number>();
  const bodies = new Map<string, Set<string>>();
  for (const [index, { path, headers, body }] of calls.entries()) {
    const id = String(headers['x-service-delivery']);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
    if (index >= callsBefore || path.includes('/slow')) taken.set(id, (taken.get(id) ?? 0) + 1);
  }
  assert.deepEqual(
    ids.filter((id) => !taken.has(id)),
    [],
    'deliveries that never arrived',
  );
  assert.deepEqual(
    [...bodies].filter(([, { size }]) => size !== 1),
    [],
    'deliveries with two different bodies',
  );
  const repeated = [...taken.values()].filter((times) => times > 1).length;
  assert.ok(repeated <= MAX_REPEATED, `${repeated} arrived more than once`);
  return repeated;
}

const deliveryIds = async (stack: StartedStack, tenantId: string): Promise<readonly string[]> =>
  (await rows(stack, 'select id from webhook_deliveries where tenant_id = $1', tenantId)).map(({ id }) => String(id));

/** As the owner of the tables. */
async function rows(
  stack: StartedStack,
  sql: string,
  ...values: readonly unknown[]
): Promise<Record<string, unknown>[]> {
  const client = new PostgresClient({ connectionString: stack.adminDatabaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
