import assert from 'node:assert/strict';
import { Client as TemporalClient, Connection, type ScheduleClient } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createHousekeepingActivities } from '../../activities/housekeeping/chores.ts';
import { retentionOf } from '../../activities/housekeeping/retention.ts';
import { ensureSchedules } from '../../worker/housekeeping-schedules.ts';
import { workflowBundlePath } from '../../worker/workflow-bundle.ts';
import { ensureNamespace } from '../../adapters/temporal/ensure-namespace.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { countRunning } from '../../adapters/temporal/tenant-executions.ts';
import { countObjects } from '../../adapters/tenant-objects.ts';
import { newId } from '../../db/ids.ts';
import { eraseRegistration } from '../../db/writes/erase-tenant.ts';
import { verifyAudit } from '../../db/reads/verify-audit.ts';
import { attributes, queues } from '../../workflows/contract.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { closeAfterTests, namespaceName, needs, testStack } from '../stack.ts';
import '../workflows/quiet.ts';
import { rows } from '../worker/dispatcher-world.ts';

needs('temporal', 'storage', 'inbox');

const log = createLog({ level: 'silent', name: 'housekeeping' });
const IDS = ['housekeeping.retention', 'housekeeping.audit-seal'];

describe('Housekeeping', () => {
  async function activities() {
    const config = readWorkerConfig((await testStack()).env);
    const { deps } = await service();
    const dispatcher = connectAsDispatcher({
      url: config.DATABASE_DISPATCHER_URL,
      pool: 2,
      applicationName: 'housekeeping-test',
    });
    closeAfterTests(() => dispatcher.destroy());
    const temporal = await sharedTemporal();
    return createHousekeepingActivities({ ...deps, dispatcher, temporal, log, retention: retentionOf(config) });
  }

  async function sharedTemporal(): Promise<TemporalClient> {
    const { address, namespace } = (await testStack()).temporal;
    const connection = await Connection.connect({ address });
    closeAfterTests(() => connection.close());
    return new TemporalClient({ connection, namespace });
  }

  /** A namespace of its own: the shared one has the schedules of the migration step, which other tests use. */
  async function emptyNamespace() {
    const { TEMPORAL_ADDRESS: address } = readWorkerConfig((await testStack()).env);
    const connection = await Connection.connect({ address });
    closeAfterTests(() => connection.close());
    const namespace = await namespaceName('housekeeping');
    await ensureNamespace(connection, namespace);
    return { address, namespace, temporal: new TemporalClient({ connection, namespace }) };
  }

  const described = (schedules: ScheduleClient) => Promise.all(IDS.map((id) => schedules.getHandle(id).describe()));

  describe('schedules', () => {
    it('are there after the migration step', async () => {
      const { address, namespace } = (await testStack()).temporal;
      const connection = await Connection.connect({ address });
      closeAfterTests(() => connection.close());

      const found = await described(new TemporalClient({ connection, namespace }).schedule);

      assert.deepEqual(
        found.map(({ scheduleId, policies, action, info }) => [
          scheduleId,
          policies.overlap,
          action.workflowType,
          info.nextActionTimes.length > 0,
        ]),
        IDS.map((id) => [id, 'SKIP', 'housekeeping', true]),
      );
    });

    it('are made once where they are missing, though two processes do it at the same time', async () => {
      const { temporal } = await emptyNamespace();

      await Promise.all([ensureSchedules(temporal.schedule, log), ensureSchedules(temporal.schedule, log)]);
      const before = await described(temporal.schedule);
      await ensureSchedules(temporal.schedule, log);
      const after = await described(temporal.schedule);

      assert.deepEqual(
        after.map(({ info }) => info.lastUpdatedAt),
        before.map(({ info }) => info.lastUpdatedAt),
      );
    });

    it('of an older plan are brought up to date, and stay paused where an operator paused them', async () => {
      const { temporal } = await emptyNamespace();
      await ensureSchedules(temporal.schedule, log);
      const handle = temporal.schedule.getHandle('housekeeping.retention');
      const wanted = await handle.describe();
      await handle.pause('mientras se migra');
      await handle.update(({ action, state, policies }) => ({
        state,
        policies,
        spec: { intervals: [{ every: '7d' }] },
        action: { ...action, args: [{ chores: ['sessions'] }], memo: { plan: 'older' } },
      }));

      await ensureSchedules(temporal.schedule, log);

      const { spec, action, policies, state } = await handle.describe();
      assert.deepEqual(
        [spec, action.args, action.memo, policies],
        [wanted.spec, wanted.action.args, wanted.action.memo, wanted.policies],
      );
      assert.deepEqual([state.paused, state.note], [true, 'mientras se migra']);
    });

    it('keep what an operator changed of them while their plan is the same', async () => {
      const { temporal } = await emptyNamespace();
      await ensureSchedules(temporal.schedule, log);
      const handle = temporal.schedule.getHandle('housekeeping.retention');
      await handle.update(({ action, state, policies }) => ({
        state,
        policies,
        action,
        spec: { intervals: [{ every: '7d' }] },
      }));

      await ensureSchedules(temporal.schedule, log);

      assert.deepEqual((await handle.describe()).spec.intervals?.length, 1);
    });

    it('run the chores: the one for audit logs, when it is triggered, seals what is old enough', async () => {
      const { temporal, address, namespace } = await emptyNamespace();
      await ensureSchedules(temporal.schedule, log);
      const business = await oldAudit();
      const connection = await NativeConnection.connect({ address });
      const worker = await Worker.create({
        connection,
        namespace,
        taskQueue: queues.workflows,
        workflowBundle: { codePath: await workflowBundlePath() },
        activities: await activities(),
      });
      const working = worker.run();
      try {
        await temporal.schedule.getHandle('housekeeping.audit-seal').trigger();
        await eventually(async () => {
          const { seals, broken } = await verified(business);
          assert.deepEqual([seals, broken], [1, undefined]);
        });
      } finally {
        worker.shutdown();
        await working;
        await connection.close();
      }
    });
  });

  /** A business with one entry that is old enough to be sealed. */
  async function oldAudit(): Promise<build.Business> {
    const business = await build.business();
    await rows(
      `insert into audit_logs (id, tenant_id, actor, action, entity, entity_id, metadata, created_at)
         values ($1, $2, 'user', 'update', 'quote', 'q', '{}', now() - interval '1 hour')`,
      newId(),
      business.tenantId,
    );
    return business;
  }

  const verified = async ({ tenantId }: build.Business) => {
    const { deps } = await service();
    return deps.withTenant(tenantId, (trx) => verifyAudit(trx));
  };

  it('seals the audit logs of all businesses, and goes on past one whose chain is broken', async () => {
    const chores = await activities();
    const [broken, sound] = [await oldAudit(), await oldAudit()];
    // First in order, so that all others come after it.
    await rows("update tenants set slug = 't-0000' || right(id, 4) where id = $1", broken.tenantId);
    await rows("insert into audit_heads values ($1, 3, repeat('a', 64))", broken.tenantId);

    const done = await finish(chores, 'audit_seals');

    assert.ok(done >= 1, `${done} entries`);
    const verdicts = [await verified(broken), await verified(sound)];
    assert.deepEqual(
      verdicts.map(({ seals, broken: found }) => [seals, found?.damage]),
      [
        [0, 'seal_missing'],
        [1, undefined],
      ],
    );
  });

  async function finish(
    chores: Awaited<ReturnType<typeof activities>>,
    chore: 'audit_seals' | 'registrations' | 'stored_pdfs',
  ) {
    let total = 0;
    let after: string | undefined;
    do {
      const step = await chores.doChore({ chore, after });
      total += step.done;
      after = step.after;
    } while (after !== undefined);
    return total;
  }

  it('removes PDFs that were replaced, from storage too, but never the one of today, though it is the oldest', async () => {
    const { deps } = await service();
    const chores = await activities();
    const business = await build.business();
    const quote = await build.quote(business.owner);
    const app = await service();
    await app.get(`/api/quotes/${quote.id}/pdf`, business.owner);
    await app.post(`/api/quotes/${quote.id}/pdf`, {}, business.owner);
    const [today] = await rows("select * from files where quote_id = $1 and kind = 'quote_pdf'", quote.id);
    const key = String(today?.['storage_key']);
    const other = `t/${business.tenantId}/quotes/${quote.id}/older.pdf`;
    await deps.storage.put(other, Buffer.from('%PDF'), 'application/pdf');
    for (const [storageKey, days] of [
      [other, 50],
      [`t/${business.tenantId}/newer`, 40],
    ] as const) {
      await rows(
        `insert into files (id, tenant_id, kind, quote_id, storage_key, content_type, size_bytes, sha256, created_at)
           values ($1, $2, 'quote_pdf', $3, $4, 'application/pdf', 4, $1, now() - make_interval(days => $5))`,
        newId(),
        business.tenantId,
        quote.id,
        storageKey,
        days,
      );
    }
    await rows("update files set created_at = now() - interval '60 days' where id = $1", today?.['id']);

    await finish(chores, 'stored_pdfs');

    const left = await rows('select storage_key from files where quote_id = $1 order by created_at', quote.id);
    assert.deepEqual(left, [{ storage_key: key }, { storage_key: `t/${business.tenantId}/newer` }]);
    assert.deepEqual([await deps.storage.exists(key), await deps.storage.exists(other)], [true, false]);
  });

  it('deletes registrations that were not confirmed within a day, with rows, files and executions, and no other business', async () => {
    const { deps } = await service();
    const chores = await activities();
    const temporal = await sharedTemporal();
    const [expired, young, confirmed] = [await build.business(), await build.business(), await build.business()];
    const all = [expired, young, confirmed].map(({ tenantId }) => tenantId);
    for (const { tenantId, owner } of [expired, young, confirmed]) {
      const { id } = await build.quote(owner);
      await deps.storage.put(`t/${tenantId}/quotes/${id}/x.pdf`, Buffer.from('%PDF'), 'application/pdf');
      await temporal.workflow.start('quoteLifecycle', {
        taskQueue: 'no-worker',
        workflowId: `registration-${tenantId}`,
        typedSearchAttributes: new TypedSearchAttributes([{ key: attributes.tenantId, value: tenantId }]),
      });
    }
    const age = (tenantId: string, hours: number, isVerified: boolean) =>
      rows(
        'update tenants set is_verified = $3, created_at = now() - make_interval(hours => $2) where id = $1',
        tenantId,
        hours,
        isVerified,
      );
    await age(expired.tenantId, 26, false);
    await age(young.tenantId, 23, false);
    await age(confirmed.tenantId, 26, true);
    // The list of executions lags behind.
    await eventually(async () =>
      assert.deepEqual(await Promise.all(all.map((id) => countRunning(temporal, id))), [1, 1, 1]),
    );

    const done = await finish(chores, 'registrations');

    assert.equal(done, 1);
    const left = await rows('select id from tenants where id = any ($1)', all);
    assert.deepEqual(new Set(left.map(({ id }) => id)), new Set([young.tenantId, confirmed.tenantId]));
    const objects = await Promise.all(all.map((id) => countObjects(deps.storage, id)));
    assert.deepEqual(objects, [0, 1, 1]);
    await eventually(async () =>
      assert.deepEqual(await Promise.all(all.map((id) => countRunning(temporal, id))), [0, 1, 1]),
    );
    const standing = await rows('select id from tenants where id = any ($1) and disabled_at is not null', all);
    assert.deepEqual(standing, []);
  });

  it('the function of the database erases no confirmed, young or enabled business', async () => {
    const { tenantId } = await build.business();
    const config = readWorkerConfig((await testStack()).env);
    const dispatcher = connectAsDispatcher({
      url: config.DATABASE_DISPATCHER_URL,
      pool: 1,
      applicationName: 'housekeeping-test',
    });
    closeAfterTests(() => dispatcher.destroy());
    const outcome = async (isVerified: boolean, hours: number, isDisabled: boolean) => {
      await rows(
        `update tenants set is_verified = $2, created_at = now() - make_interval(hours => $3),
                disabled_at = case when $4 then now() end, plan = case when $4 then 'FREE' else 'PRO' end,
                plan_when_enabled = case when $4 then 'PRO' end where id = $1`,
        tenantId,
        isVerified,
        hours,
        isDisabled,
      );
      return eraseRegistration(dispatcher, tenantId);
    };

    const refused = [await outcome(true, 26, true), await outcome(false, 23, true), await outcome(false, 26, false)];

    assert.deepEqual(refused, [0, 0, 0]);
    assert.ok((await outcome(false, 26, true)) > 2, 'an expired one is erased');
  });
});
