import assert from 'node:assert/strict';
import { violationOf } from '../../ops/history.ts';
import { workflowBundlePath } from '../../worker/workflow-bundle.ts';
import { freePorts } from '../../dev/ports.ts';
import { type Receiver, receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { startOwnProcess } from '../own-process.ts';
import { type Business, makeQuote, type Quote, register, share } from '../journey/business.ts';
import { observed, type Observed } from '../journey/observed.ts';
import { linksOf, shownTrace, writeTrace } from '../journey/shown-trace.ts';
import { pathToRoot, type ReceivedSpan, treeOf } from '../journey/spans.ts';
import { logLines } from '../journey/traces.ts';
import '../workflows/quiet.ts';

/** One share with a webhook, as an OTLP receiver sees it. */
describe('trace of a share', () => {
  let looked: Observed;
  let business: Business;
  let quote: Quote;
  let endpoint: Receiver;
  let requestId: string;
  let trace: readonly ReceivedSpan[];

  before(async () => {
    looked = await observed();
    const { service } = looked;
    // The first share loads the PDF renderer: on a busy machine it may exceed the caller's time limit.
    const other = await register(service);
    await eventually(async () => {
      const res = await share(service, other, await makeQuote(service, other));
      assert.equal(res.status, 200, JSON.stringify(res.body));
    });
    endpoint = await receiver();
    business = await register(service);
    await service.http.post('/api/webhooks', { url: endpoint.url, events: ['quote.sent'] }, business.owner);
    quote = await makeQuote(service, business);
    // Otherwise the dispatcher might signal the lifecycle of both in one call, which is in the trace of the first.
    await eventually(async () => {
      const waiting = await service.rows('select type from outbox_events where dispatched_at is null');
      assert.deepEqual(waiting, []);
    });
    const res = await share(service, business, quote);
    assert.equal(res.status, 200, JSON.stringify(res.body));
    // Others may have shared before.
    requestId = res.headers.get('X-Request-Id') ?? '';
    trace = await eventually(() => {
      const all = received();
      const names = new Set(all.map(({ name }) => name));
      for (const last of ['outbound POST', 'RunWorkflow:deliverWebhook', 'HandleUpdate:share', 'smtp send']) {
        assert.ok(names.has(last), `no ${last} yet, only ${[...names].join(', ')}`);
      }
      return all;
    });
    if (process.env['WRITE_TRACE']) writeTrace(treeOf(trace));
  });
  after(() => endpoint[Symbol.asyncDispose]());

  /** All spans of the share so far. */
  const received = (): readonly ReceivedSpan[] => {
    const { spans } = looked.traces;
    const root = spans.find(({ attributes }) => attributes['request.id'] === requestId);
    return spans.filter(({ traceId }) => traceId === root?.traceId);
  };

  const named = (name: string): ReceivedSpan => {
    const [span, ...more] = trace.filter((one) => one.name === name);
    if (!span || more.length > 0) return assert.fail(`${more.length + (span ? 1 : 0)} spans are named ${name}`);
    return span;
  };

  it('is one trace, from the request over outbox, dispatcher, workflow and activity to the webhook call', () => {
    assert.deepEqual(pathToRoot(trace, named('outbound POST')), [
      'outbound POST',
      'RunActivity:deliver',
      'StartActivity:deliver',
      'RunWorkflow:deliverWebhook',
      'StartWorkflow:deliverWebhook',
      'dispatcher dispatch',
      'RunActivity:markQuoteSent',
      'StartActivity:markQuoteSent',
      'HandleUpdate:share',
      'UpdateWithStartWorkflow:share',
      'POST /api/quotes/:id/share',
    ]);
  });

  it('has the mail below the activity that sent it', () => {
    assert.deepEqual(pathToRoot(trace, named('smtp send')), [
      'smtp send',
      'RunActivity:sendQuoteMail',
      'StartActivity:sendQuoteMail',
      'HandleUpdate:share',
      'UpdateWithStartWorkflow:share',
      'POST /api/quotes/:id/share',
    ]);
  });

  it('names process, route, status and statements with placeholders; it has one root, and orphans only below open executions', async () => {
    const root = named('POST /api/quotes/:id/share');

    assert.equal(root.service, 'quoting-api');
    assert.equal(named('outbound POST').service, 'quoting-worker');
    assert.equal(root.attributes['http.response.status_code'], 200);
    assert.equal(named('outbound POST').attributes['http.response.status_code'], 200);
    assert.deepEqual(
      trace.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name),
      [root.name],
    );
    // The executions of a quote's lifecycle and expiry end after weeks, and with them the parents of their steps'
    // spans.
    const underWay = ['quoteLifecycle', 'expiryReminder'];
    // A step is exported when it ends, after its children: a child of a running step is no orphan.
    await eventually(() => {
      const all = received();
      const ids = new Set(all.map(({ spanId }) => spanId));
      const orphans = all.filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId));
      assert.deepEqual(
        orphans
          .filter(({ attributes }) => !underWay.includes(String(attributes['workflowType'])))
          .map(({ name }) => name),
        [],
      );
    });
    const statements = trace.filter(({ name }) => name.startsWith('pg.query:'));
    assert.ok(
      statements.some(({ service }) => service === 'quoting-api'),
      'the API asked nothing of PostgreSQL',
    );
    assert.ok(
      statements.some(({ text }) => /insert into outbox_events/.test(text)),
      'no event was written',
    );
  });

  it('contains no personal data: no name, address, amount, token or text of users is in any span', async () => {
    const res = await looked.service.http.get(`/api/quotes/${quote.id}/link`, business.owner);
    const planted = [
      'Laura',
      'Méndez',
      'Diana',
      'Muebles',
      'Silla',
      'roble',
      '@',
      'frase',
      String(res.body.publicToken),
    ];

    const text = looked.traces.spans.map((span) => span.text).join('\n');

    assert.ok(looked.traces.spans.length > 100, 'there are few spans');
    assert.deepEqual(
      planted.filter((word) => text.includes(word)),
      [],
    );
  });

  it('equals the one in docs/operations.md (npm run docs:trace)', async () => {
    const shown = linksOf(shownTrace());

    assert.ok(shown.length > 15, 'the document shows no trace');
    await eventually(() => {
      const happened = new Set(linksOf(treeOf(received())));
      assert.deepEqual(
        shown.filter((link) => !happened.has(link)),
        [],
      );
    });
  });

  it("is not revealed to the webhook's receiver", () => {
    const [call] = endpoint.calls;

    assert.equal(endpoint.calls.length, 1);
    assert.deepEqual(
      Object.keys(call?.headers ?? {}).filter((name) => /trace|baggage|b3|_tracer/i.test(name)),
      [],
    );
    assert.ok(!JSON.stringify(call).includes(trace[0]?.traceId ?? ''));
  });

  it('log lines carry the ids of trace and span', async () => {
    const root = named('POST /api/quotes/:id/share');

    const line = (await logLines(looked.service)).find(
      ({ text }) => text.includes('"msg":"request"') && text.includes(requestId),
    );

    const { traceId, spanId } = JSON.parse(line?.text ?? '{}') as Record<string, unknown>;
    assert.deepEqual({ traceId, spanId }, { traceId: root.traceId, spanId: root.spanId });
  });

  it('does not continue a traceparent from outside', async () => {
    const theirs = 'a'.repeat(32);

    await looked.service.http.request('GET', '/api/quotes', {
      headers: { ...business.owner, traceparent: `00-${theirs}-${'b'.repeat(16)}-01` },
    });

    await eventually(() =>
      assert.ok(
        looked.traces.spans.some(({ name }) => name === 'GET /api/quotes'),
        'not yet',
      ),
    );
    assert.deepEqual(
      looked.traces.spans.filter(({ traceId }) => traceId === theirs),
      [],
    );
  });

  it('comes from an execution that replays in the bundle with and in the one without tracing', async () => {
    for (const workflowId of [quote.workflowId, `hook.${await webhookAndEvent()}`]) {
      const history = await looked.service.temporal.workflow.getHandle(workflowId).fetchHistory();
      assert.ok(JSON.stringify(history).includes('_tracer-data'), `${workflowId} was not traced`);
      for (const isTraced of [true, false]) {
        const codePath = await workflowBundlePath({ isTraced });
        assert.equal(await violationOf(history, workflowId, { codePath }), undefined);
      }
    }
  });

  async function webhookAndEvent(): Promise<string> {
    const [row] = await looked.service.rows(
      'select webhook_id, event_id from webhook_deliveries where tenant_id = $1',
      business.tenantId,
    );
    return `${String(row?.['webhook_id'])}.${String(row?.['event_id'])}`;
  }

  it('needs no code of OpenTelemetry in processes without an endpoint for traces', async () => {
    const [port = 0] = await freePorts(1);
    const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...env } = looked.service.env;
    const node = ['--import', new URL('loaded-modules.mjs', import.meta.url).href];

    for (const entry of ['api/main.ts', 'worker/main.ts']) {
      const own = await startOwnProcess(entry, { ...env, PORT: String(port), DRAIN_SECONDS: '0' }, { node });
      await own.stop();
      const loaded = JSON.parse(/^LOADED (.*)$/m.exec(own.output())?.[1] ?? 'null') as readonly string[];
      // The one that is present shows that the list contains loaded modules.
      assert.equal(loaded.length, 1, `${entry}: ${loaded.join(', ')}`);
      assert.match(String(loaded[0]), /prom-client/);
    }
  });
});
