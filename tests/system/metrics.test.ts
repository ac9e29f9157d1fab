import assert from 'node:assert/strict';
import { Client as PostgresClient } from 'pg';
import { type Receiver, receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Business, makeQuote, register, share } from '../journey/business.ts';
import { figure, type Sample } from '../journey/figures.ts';
import { observed, type Observed } from '../journey/observed.ts';
import { metricsOf, observabilityFiles } from '../docs/observability-files.ts';

/** The Prometheus pages of real processes under real work. */
describe('/metrics', () => {
  let looked: Observed;
  let business: Business;
  let failing: Receiver;

  before(async () => {
    looked = await observed();
    business = await register(looked.service);
    failing = await receiver((res) => res.writeHead(500).end());
  });
  after(() => failing[Symbol.asyncDispose]());

  /** Waits until a series has grown above that value, and returns by how much. */
  async function grows(
    page: () => Promise<readonly Sample[]>,
    before: readonly Sample[],
    [name, labels]: readonly [string, Record<string, string>?],
  ): Promise<number> {
    return eventually(async () => {
      const grown = (figure(await page(), name, labels) ?? 0) - (figure(before, name, labels) ?? 0);
      assert.ok(grown > 0, `${name} ${JSON.stringify(labels ?? {})} has not grown`);
      return grown;
    });
  }

  it("is served on separate ports, and answers 404 on the API's", async () => {
    const { http } = looked.service;

    assert.equal((await http.get('/metrics')).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${looked.ports.api}/healthz`)).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${looked.ports.worker}/metrics`)).status, 200);
  });

  it('counts requests by template and status, with all unknown paths as one', async () => {
    const { http } = looked.service;
    const quote = await makeQuote(looked.service, business);
    const before = await looked.api();

    await http.get(`/api/quotes/${quote.id}`, business.owner);
    await http.get(`/api/quotes/${quote.id}x`, business.owner);
    for (const path of ['/wp-login.php', '/.env', `/p/${'x'.repeat(43)}/nada`]) await http.get(path);

    const count = 'http_request_duration_seconds_count';
    const one = { method: 'GET', route: '/api/quotes/:id' };
    assert.equal(await grows(looked.api, before, [count, { ...one, status_class: '2xx' }]), 1);
    assert.equal(await grows(looked.api, before, [count, { ...one, status_class: '4xx' }]), 1);
    assert.equal(await grows(looked.api, before, [count, { route: 'unmatched' }]), 3);
    const routes = new Set((await looked.api()).map(({ labels }) => labels['route'] ?? ''));
    assert.deepEqual(
      [...routes].filter((route) => /wp-login|x{9}|c[a-z0-9]{24}/.test(route)),
      [],
    );
  });

  it('counts accepted and refused mails, and times PDFs in both processes', async () => {
    const [api, worker] = [await looked.api(), await looked.worker()];
    const quote = await makeQuote(looked.service, business);
    const refused = await makeQuote(looked.service, business, 'reject+550');

    await share(looked.service, business, quote);
    await share(looked.service, business, refused);
    await looked.service.http.get(`/api/quotes/${(await makeQuote(looked.service, business)).id}/pdf`, business.owner);

    assert.equal(await grows(looked.worker, worker, ['emails_total', { result: 'sent' }]), 1);
    assert.equal(await grows(looked.worker, worker, ['emails_total', { result: 'refused' }]), 1);
    await grows(looked.worker, worker, ['pdf_seconds_count']);
    await grows(looked.api, api, ['pdf_seconds_count']);
  });

  it('counts webhook attempts by outcome, failing endpoints, and the delay of first attempts', async () => {
    const before = await looked.worker();
    await using taking = await receiver();
    const events = ['quote.created'];
    for (const { url } of [taking, failing]) {
      await looked.service.http.post('/api/webhooks', { url, events }, business.owner);
    }

    await makeQuote(looked.service, business);

    await grows(looked.worker, before, ['webhook_attempts_total', { outcome: 'delivered' }]);
    await grows(looked.worker, before, ['webhook_attempts_total', { outcome: 'retry' }]);
    await grows(looked.worker, before, ['webhook_attempts_total', { outcome: 'exhausted' }]);
    await grows(looked.worker, before, ['webhook_first_attempt_seconds_count']);
    assert.equal(await grows(looked.worker, before, ['webhook_endpoints_failing']), 1);
  });

  it('counts automation runs by outcome', async () => {
    const before = await looked.worker();
    const notify = { type: 'send_notification', title: 'Nueva', body: 'Hay una' };
    const refused = { type: 'change_status', newStatus: 'ACCEPTED' };
    const rule = { name: 'Avisar', trigger: 'QUOTE_CREATED' };
    const { http } = looked.service;
    for (const actions of [[notify], [refused]]) {
      const res = await http.post('/api/automations', { ...rule, actions }, business.owner);
      assert.equal(res.status, 201, JSON.stringify(res.body));
    }

    await makeQuote(looked.service, business);

    await grows(looked.worker, before, ['automation_runs_total', { status: 'completed' }]);
    await grows(looked.worker, before, ['automation_runs_total', { status: 'failed' }]);
  });

  it("reports connections in use, callers waiting for one, and the event loop's delay", async () => {
    const { http, parts } = looked.service;
    const businesses = [business, await register(looked.service), await register(looked.service)];
    const client = new PostgresClient({ connectionString: parts.postgres.adminUrl });
    await client.connect();
    await client.query('begin; lock table quotes in access exclusive mode');
    const answers = businesses.flatMap(({ owner }) => Array.from({ length: 3 }, () => http.get('/api/quotes', owner)));

    // Four connections (DATABASE_POOL), of which a business may hold two: of six callers that ask for one, two wait.
    try {
      await eventually(async () => {
        const now = await looked.api();
        assert.equal(figure(now, 'database_pool_in_use', { pool: 'api' }), 4);
        assert.equal(figure(now, 'database_pool_waiting', { pool: 'api' }), 2);
      });
    } finally {
      // Its outcome does not matter: it only occupies the pool.
      await client.end();
    }
    await Promise.all(answers);

    await eventually(async () => assert.equal(figure(await looked.api(), 'database_pool_waiting'), 0));
    for (const page of [looked.api, looked.worker]) {
      assert.ok((figure(await page(), 'nodejs_eventloop_lag_p99_seconds') ?? 0) > 0, 'no event loop lag');
    }
  });

  it('reports the waiting time of tasks and failing workflow tasks, on the SDK’s own port', async () => {
    // No worker knows this workflow: its task keeps failing.
    const handle = await looked.service.temporal.workflow.start('noSuchWorkflow', {
      taskQueue: 'workflows',
      workflowId: 'no-such-workflow',
    });

    const failures = ['temporal_workflow_task_execution_failed_total', { workflow_type: 'noSuchWorkflow' }] as const;
    await grows(looked.temporal, [], failures);
    await handle.terminate();
    const now = await looked.temporal();
    assert.ok(
      (figure(now, 'temporal_activity_schedule_to_start_latency_seconds_count', { task_queue: 'workflows' }) ?? 0) > 0,
    );
    assert.ok((figure(now, 'temporal_worker_task_slots_available', { task_queue: 'webhooks' }) ?? 0) > 0);
  });

  it('reports waiting events while Temporal is away, and workflows restarted after the loss of its store', async () => {
    const before = await looked.worker();
    await looked.service.wipeTemporal();

    await makeQuote(looked.service, business);

    await eventually(async () => {
      const age = figure(await looked.worker(), 'outbox_oldest_seconds', { step: 'dispatch' });
      assert.ok((age ?? 0) > 1, `the oldest waits ${age} s`);
    });
    await looked.service.startTemporal();
    // A check every ten seconds, which may take fifteen, and then a pass.
    await grows(looked.worker, before, ['reconciler_restarts_total', { workflow: 'quoteLifecycle' }]);
    await eventually(async () => {
      assert.equal(figure(await looked.worker(), 'outbox_oldest_seconds', { step: 'dispatch' }), 0);
    });
  });

  it('has no label that names a business, a quote or a person', async () => {
    const pages = await Promise.all([looked.api(), looked.worker(), looked.temporal()]);
    const labels = pages.flat().flatMap((sample) => Object.entries(sample.labels));

    assert.ok(labels.length > 100, 'there are few labels');
    assert.deepEqual(
      labels.filter(([name, of]) => /tenant|quote_id|workflow_id|run_id/i.test(name) || /^t-|c[a-z0-9]{24}|@/.test(of)),
      [],
    );
  });

  it('has every metric that the dashboards and alerts of deploy/observability use', async () => {
    const pages = await Promise.all([looked.api(), looked.worker(), looked.temporal()]);
    const exported = new Set(pages.flat().map(({ name }) => name));

    for (const { file, expressions } of observabilityFiles()) {
      assert.ok(expressions.length > 0, `${file} asks for nothing`);
      const missing = expressions.flatMap(metricsOf).filter((name) => !exported.has(name));
      assert.deepEqual([...new Set(missing)], [], file);
    }
  });
});
