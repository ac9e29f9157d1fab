import assert from 'node:assert/strict';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Client as PostgresClient } from 'pg';
import { freePort } from '../../dev/ports.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { namespaceName, needs, testStack } from '../stack.ts';
import { command } from './commands.ts';
import { rows, watchedQuote } from '../worker/dispatcher-world.ts';

needs('temporal', 'storage', 'inbox');

describe('npm run quoting', () => {
  let env: Record<string, string>;

  before(async () => {
    env = (await testStack()).env;
  });

  const slugOf = async ({ tenantId }: build.Business): Promise<string> =>
    String((await rows('select slug from tenants where id = $1', tenantId))[0]?.['slug']);
  const planOf = async ({ tenantId }: build.Business) =>
    (await rows('select plan from tenants where id = $1', tenantId))[0]?.['plan'];

  it('shows every command and exits with 2 when given none, or one that is not there', async () => {
    const none = await command(env);
    const unknown = await command(env, 'tenant', 'remove');

    assert.equal(none.code, 2);
    assert.match(
      none.complaint,
      /^uso: npm run quoting[\s\S]+ {2}reconcile\n[\s\S]+ {2}tenant plan <slug\|id> PRO\|FREE\n/,
    );
    assert.deepEqual(unknown, none);
  });

  it('names every missing setting and exits with 1', async () => {
    const { code, out, complaint } = await command({}, 'reconcile');

    assert.deepEqual([code, out], [1, '']);
    assert.match(complaint, /DATABASE_DISPATCHER_URL: is not set[\s\S]+TEMPORAL_ADDRESS: is not set/);
  });

  it('says which server does not answer and exits with 1', async () => {
    const away = `127.0.0.1:${await freePort()}`;

    const temporal = await command({ ...env, TEMPORAL_ADDRESS: away }, 'reconcile');
    const postgres = await command(
      { ...env, DATABASE_DISPATCHER_URL: `postgres://quoting_dispatcher:x@${away}/x` },
      'tenant',
      'list',
    );

    assert.equal(temporal.code, 1);
    assert.match(temporal.complaint, /^Temporal no responde\.$/m);
    assert.equal(postgres.code, 1);
    assert.match(postgres.complaint, /^PostgreSQL no responde\.$/m);
  });

  describe('reconcile', () => {
    it('starts what is missing, however young, prints how many as JSON, and waits for a pass that is under way', async () => {
      const quote = await watchedQuote(await build.business());
      const namespace = await namespaceName('command');
      const here = { ...env, TEMPORAL_NAMESPACE: namespace };
      const other = new PostgresClient({ connectionString: env['DATABASE_DISPATCHER_URL'] });
      await other.connect();
      let answering;
      try {
        await other.query('select pg_advisory_lock(7310255)');
        answering = command(here, 'reconcile');
        await eventually(async () => {
          const asking = await rows("select 1 from pg_stat_activity where application_name = 'quoting-reconciler'");
          assert.equal(asking.length, 1);
        });
      } finally {
        await other.end();
      }

      const { code, out } = await answering;
      assert.equal(code, 0);
      const started = JSON.parse(out);
      assert.deepEqual(Object.keys(started), [
        'sendMail',
        'importRecords',
        'deliverWebhook',
        'runAutomation',
        'remind',
        'quoteLifecycle',
        'expiryReminder',
        'rescheduleReminders',
      ]);
      assert.ok(started.quoteLifecycle >= 1, out);
      const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] ?? '' });
      const run = new TemporalClient({ connection, namespace }).workflow.getHandle(quote.workflowId);
      assert.equal((await run.describe()).status.name, 'RUNNING');
      await connection.close();
    });

    it('shows its usage and exits with 2 when given an argument', async () => {
      const { code, complaint } = await command(env, 'reconcile', 'all');

      assert.equal(code, 2);
      assert.match(complaint, /^uso: npm run quoting -- reconcile\n/);
    });
  });

  describe('tenant list', () => {
    it('prints slug, plan, id, day and name of each business, one line each, whatever is in a name', async () => {
      const free = await build.business({ plan: 'FREE' });
      const odd = await build.business({ companyName: 'Uno\n\tDos\u001b[31m' });

      const { code, out } = await command(env, 'tenant', 'list');

      assert.equal(code, 0);
      const lines = out.split('\n');
      const dayOf = async ({ tenantId }: build.Business) => {
        const sql = "select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day from tenants where id = $1";
        return String((await rows(sql, tenantId))[0]?.['day']);
      };
      assert.ok(lines.includes(`${await slugOf(free)}\tFREE\t${free.tenantId}\t${await dayOf(free)}\tAcme`), out);
      assert.ok(lines.includes(`${await slugOf(odd)}\tPRO\t${odd.tenantId}\t${await dayOf(odd)}\tUno Dos[31m`), out);
    });
  });

  describe('tenant plan', () => {
    it('puts a business on another plan by its slug, and writes down that the operator did it', async () => {
      const business = await build.business();
      const slug = await slugOf(business);

      const answer = await command(env, 'tenant', 'plan', slug, 'FREE');

      assert.deepEqual(answer, { code: 0, out: `${slug}: PRO → FREE\n`, complaint: '' });
      assert.equal(await planOf(business), 'FREE');
      const audit = await rows(
        `select actor, user_id, action, entity, entity_id, metadata from audit_logs
          where tenant_id = $1 and actor = 'operator'`,
        business.tenantId,
      );
      assert.deepEqual(audit, [
        {
          actor: 'operator',
          user_id: null,
          action: 'update',
          entity: 'tenant',
          entity_id: business.tenantId,
          metadata: '{"before":{"plan":"PRO"},"after":{"plan":"FREE"}}',
        },
      ]);
    });

    it('takes the id and a plan in small letters, and leaves no entry when nothing changes', async () => {
      const business = await build.business({ plan: 'FREE' });
      const slug = await slugOf(business);

      const first = await command(env, 'tenant', 'plan', business.tenantId, 'pro');
      const second = await command(env, 'tenant', 'plan', business.tenantId, 'pro');

      assert.deepEqual([first.out, second.out], [`${slug}: FREE → PRO\n`, `${slug}: sigue en PRO\n`]);
      const audit = await rows(
        "select 1 from audit_logs where tenant_id = $1 and actor = 'operator'",
        business.tenantId,
      );
      assert.equal(audit.length, 1);
    });

    it('closes gated routes and the client page at once on a downgrade, and opens them again', async () => {
      const app = await service();
      const business = await build.business();
      const { publicToken } = await build.sentQuote(business);
      const statuses = async () => [
        (await app.get('/api/webhooks', business.owner)).status,
        (await app.get('/api/automations', business.owner)).status,
        (await app.get(`/api/portal/${publicToken}`)).status,
      ];

      await command(env, 'tenant', 'plan', business.tenantId, 'FREE');
      const onFree = await statuses();
      await command(env, 'tenant', 'plan', business.tenantId, 'PRO');

      assert.deepEqual(onFree, [403, 403, 404]);
      assert.deepEqual(await statuses(), [200, 200, 200]);
    });

    it('refuses an unknown business with 1, an unknown plan or missing words with 2, and changes nothing', async () => {
      const business = await build.business();

      const nobody = await command(env, 'tenant', 'plan', 't-nadie', 'FREE');
      const gold = await command(env, 'tenant', 'plan', business.tenantId, 'GOLD');
      const short = await command(env, 'tenant', 'plan', business.tenantId);

      assert.deepEqual([nobody.code, nobody.complaint], [1, 'No hay un negocio con el slug o id t-nadie.\n']);
      assert.equal(gold.code, 2);
      assert.match(gold.complaint, /^no hay un plan GOLD\nuso: npm run quoting -- tenant plan <slug\|id> PRO\|FREE\n/);
      assert.equal(short.code, 2);
      assert.equal(await planOf(business), 'PRO');
    });
  });
});
