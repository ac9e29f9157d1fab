import assert from 'node:assert/strict';
import { Client as TemporalClient, Connection, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { Client as PostgresClient } from 'pg';
import { createActivityPermits } from '../../activities/permits.ts';
import { createDeliverActivities } from '../../activities/webhooks/deliver.ts';
import { ensureTemporal } from '../../worker/ensure-temporal.ts';
import { reconcile, type ReconcileDeps } from '../../worker/reconcile.ts';
import { reconcileAlone } from '../../worker/reconciler.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { newId } from '../../db/ids.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { attributes, queues } from '../../workflows/contract.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { closeAfterTests, namespaceName, needs, testStack } from '../stack.ts';
import '../workflows/quiet.ts';
import { startWorkers } from '../workflows/workers.ts';
import { rows, watchedQuote } from './dispatcher-world.ts';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';

needs('temporal');

const DAY_S = 24 * 60 * 60;
/** Only rows that a test made that old are looked at: the database is shared. */
const OLD = { olderThanSeconds: 3 * DAY_S };

/** Each test has a namespace of its own: to the rows in PostgreSQL it is a Temporal whose store was wiped. */
describe('The reconciler', () => {
  async function wipedTemporal(): Promise<ReconcileDeps & { readonly address: string; readonly databaseUrl: string }> {
    const config = readWorkerConfig((await testStack()).env);
    const { TEMPORAL_ADDRESS: address, DATABASE_DISPATCHER_URL: databaseUrl } = config;
    const namespace = await namespaceName('wiped');
    const connection = await Connection.connect({ address });
    const knex = connectAsDispatcher({ url: databaseUrl, pool: 2, applicationName: 'reconcile-test' });
    closeAfterTests(async () => {
      await connection.close();
      await knex.destroy();
    });
    const temporal = new TemporalClient({ connection, namespace });
    const log = createLog({ level: 'silent', name: 'reconcile' });
    const deps = { knex, temporal, connection, namespace, log, address, databaseUrl };
    // The server's own parts hear of a new namespace one after the other; in one that is new no row is too young.
    await eventually(() => ensureTemporal(deps));
    return deps;
  }

  /** A business with one row of each kind that waits for a workflow, all of them old. */
  async function unfinished() {
    const business = await build.business();
    const { tenantId, userId } = business;
    const quote = await watchedQuote(business);
    const webhookId = await webhook(business, 'http://127.0.0.1:9/aviso');
    const delivery = await oldDelivery(business, webhookId);
    const reminder = await build.reminder(business, quote.id);
    const [automationId, eventId, logId, mailId, tokenId] = [newId(), newId(), newId(), newId(), newId()];
    const settingsChangeId = newId();
    const importId = newId();
    await rows(
      `insert into imports (id, tenant_id, user_id, actor, request_id, kind, status, is_dry_run, on_duplicate, total, created_at)
         values ($1, $2, $3, 'user', 'x', 'clients', 'RUNNING', false, 'error', 501, now() - interval '5 days')`,
      importId,
      tenantId,
      userId,
    );
    await rows(
      "update tenants set reschedule_event_id = $2, updated_at = now() - interval '5 days' where id = $1",
      tenantId,
      settingsChangeId,
    );
    await rows(
      `update quotes set status = 'SENT', created_at = now() - interval '5 days', updated_at = now() - interval '5 days'
        where id = $1`,
      quote.id,
    );
    await rows("update reminders set created_at = now() - interval '5 days' where id = $1", reminder.id);
    await rows(
      `insert into automations (id, tenant_id, name, trigger, conditions, actions) values ($1, $2, 'a', 'QUOTE_WON', '[]', '[]')`,
      automationId,
      tenantId,
    );
    await rows(
      `insert into automation_logs (id, tenant_id, automation_id, quote_id, event_id, conditions, actions, delay_minutes,
         dispatched_at) values ($1, $2, $3, $4, $5, '[]', '[]', 0, now() - interval '5 days')`,
      logId,
      tenantId,
      automationId,
      quote.id,
      eventId,
    );
    await rows(
      `insert into one_time_tokens (id, tenant_id, user_id, kind, hash, expires_at)
         values ($1, $2, $3, 'password_reset', $1, now() + interval '1 day')`,
      tokenId,
      tenantId,
      userId,
    );
    await rows(
      `insert into mails (id, tenant_id, kind, user_id, token_id, token_sealed, created_at)
         values ($1, $2, 'password_reset', $3, $4, 'x', now() - interval '5 days')`,
      mailId,
      tenantId,
      userId,
      tokenId,
    );
    return {
      business,
      quote,
      delivery,
      ids: [
        quote.workflowId,
        quote.workflowId.replace('quote.', 'expiry.'),
        `hook.${webhookId}.${delivery.eventId}`,
        `auto.${automationId}.${eventId}`,
        `remind.${reminder.id}`,
        `mail.${mailId}`,
        `resched.${settingsChangeId}`,
        `import.${importId}`,
      ],
    };
  }

  async function webhook({ owner }: build.Business, url: string): Promise<string> {
    const app = await service();
    const res = await app.post('/api/webhooks', { url, events: ['product.created'] }, owner);
    return res.body.id as string;
  }

  async function oldDelivery({ tenantId }: build.Business, webhookId: string) {
    const { deps } = await service();
    const row = { id: newId(), tenantId, webhookId, event: 'client.created', eventId: newId(), payload: '{}' };
    const dispatchedAt = new Date(Date.now() - 5 * DAY_S * 1000);
    await deps.withTenant(tenantId, (trx) => WebhookDelivery.query(trx).insert({ ...row, dispatchedAt }));
    return row;
  }

  const running = async (temporal: TemporalClient, id: string): Promise<boolean> => {
    try {
      return (await temporal.workflow.getHandle(id).describe()).status.name === 'RUNNING';
    } catch {
      return false;
    }
  };

  it('starts a run for each kind of unfinished row that has none, and for none that has', async () => {
    const deps = await wipedTemporal();
    const { ids } = await unfinished();

    const first = await reconcile(deps, OLD);

    for (const [workflow, n] of Object.entries(first.started)) assert.ok(n >= 1, `${workflow}: ${n}`);
    for (const id of ids) assert.equal(await running(deps.temporal, id), true, id);
    const nothing = {
      sendMail: 0,
      importRecords: 0,
      deliverWebhook: 0,
      runAutomation: 0,
      remind: 0,
      quoteLifecycle: 0,
    };
    assert.deepEqual(await reconcile(deps, OLD), {
      started: { ...nothing, expiryReminder: 0, rescheduleReminders: 0 },
      failed: 0,
    });
  });

  it('starts the run of an unfinished row again, although one of its id ended, and of a finished one not', async () => {
    const deps = await wipedTemporal();
    const { ids, delivery, quote } = await unfinished();
    await reconcile(deps, OLD);
    for (const id of ids) await deps.temporal.workflow.getHandle(id).terminate();
    await rows("update webhook_deliveries set status = 'EXHAUSTED', completed_at = now() where id = $1", delivery.id);
    await rows("update quotes set status = 'WON' where id = $1", quote.id);

    await eventually(async () => {
      await reconcile(deps, OLD);
      const states = await Promise.all(ids.map((id) => running(deps.temporal, id)));
      assert.deepEqual(states, [false, false, false, true, true, true, true, true]);
    });
  });

  it('executions that are open on a task queue of a former version are replaced on the queue that workers poll', async () => {
    const deps = await wipedTemporal();
    const { ids } = await unfinished();
    for (const workflowId of ids) await deps.temporal.workflow.start('former', { workflowId, taskQueue: 'former' });

    await eventually(async () => {
      await reconcile(deps, OLD);
      const found = await Promise.all(ids.map((id) => deps.temporal.workflow.getHandle(id).describe()));
      assert.deepEqual(
        found.map(({ status, taskQueue }) => [status.name, taskQueue]),
        ids.map(() => ['RUNNING', queues.workflows]),
      );
    });
  });

  it('open executions of a former version whose type is gone or whose row is finished are terminated, others are left', async () => {
    const deps = await wipedTemporal();
    const { workflow } = deps.temporal;
    const ours = { typedSearchAttributes: [{ key: attributes.tenantId, value: newId() }] };
    const start = async (workflowId: string, taskQueue: string, options = {}) =>
      workflow.start('former', { workflowId, taskQueue, ...options });
    const former = await Promise.all([
      start('batch', 'webhooks', ours),
      start('finished', 'quotes', ours),
      workflow.start('housekeeping', { workflowId: 'seal', taskQueue: 'quotes' }),
    ]);
    const others = await Promise.all([
      start('current', queues.workflows, ours),
      start('of another program', 'webhooks'),
    ]);
    const statusOf = async (handle: WorkflowHandle) => (await handle.describe()).status.name;

    await eventually(async () => {
      await reconcile(deps, { olderThanSeconds: 0 });
      assert.deepEqual(
        await Promise.all(former.map(statusOf)),
        former.map(() => 'TERMINATED'),
      );
    });
    assert.deepEqual(
      await Promise.all(others.map(statusOf)),
      others.map(() => 'RUNNING'),
    );
  });

  it('brings 60 waiting deliveries to their end after the store was wiped, each delivered once', async () => {
    const deps = await wipedTemporal();
    await using endpoint = await receiver();
    const business = await build.business();
    const webhookId = await webhook(business, endpoint.url);
    const waiting = await Promise.all(Array.from({ length: 60 }, () => oldDelivery(business, webhookId)));
    const app = await service();
    const native = await NativeConnection.connect({ address: deps.address });
    const stopWorkers = await startWorkers({
      connection: native,
      namespace: deps.namespace,
      activities: {
        ...createDeliverActivities({
          ...app.deps,
          permits: createActivityPermits(),
          outbound: createOutboundHttp(app.deps.config),
          pausesS: [1],
          probeS: 60,
          wakeDispatcher: () => undefined,
        }),
        // The database is shared: rows of other kinds, made by other tests, are started too.
        default: () => Promise.reject(ApplicationFailure.nonRetryable('not an activity of this test')),
      },
    });
    try {
      await reconcile(deps, OLD);
      await eventually(async () => {
        const [left] = await rows(
          "select count(*) as n from webhook_deliveries where webhook_id = $1 and status <> 'DELIVERED'",
          webhookId,
        );
        assert.equal(Number(left?.['n']), 0);
      });
    } finally {
      await stopWorkers();
      await native.close();
    }
    const received = endpoint.calls.map(({ headers }) => String(headers['x-service-delivery']));
    assert.deepEqual(received.toSorted(), waiting.map(({ id }) => id).toSorted());
  });

  it('leaves the work to another process that is at it', async () => {
    const deps = await wipedTemporal();
    const other = new PostgresClient({ connectionString: deps.databaseUrl });
    await other.connect();
    try {
      await other.query('select pg_advisory_lock(7310255)');
      assert.equal(await reconcileAlone(deps, OLD), undefined);
    } finally {
      await other.end();
    }
    assert.notEqual(await eventually(() => reconcileAlone(deps, OLD)), undefined);
  });
});
