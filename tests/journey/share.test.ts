import assert from 'node:assert/strict';
import { readPdf } from '../adapters/pdf-text.ts';
import { eventually } from '../eventually.ts';
import {
  auditOf,
  type Business,
  eventsOf,
  mailsTo,
  makeQuote,
  register,
  runOf,
  share,
  shareOnce,
  statusOf,
} from './business.ts';
import { type Installation, installation } from './installation.ts';

interface AuditEntry {
  readonly action: string;
  readonly metadata: { readonly run?: unknown };
}

describe('create and share a quote', () => {
  let service: Installation;
  let business: Business;

  before(async () => {
    service = await installation();
    business = await register(service);
  });

  it('delivers one mail with the PDF, moves the quote to SENT, and its execution is in Temporal', async () => {
    const quote = await makeQuote(service, business);

    const res = await share(service, business, quote);

    assert.equal(res.status, 200, JSON.stringify(res.body));
    assert.deepEqual(res.body, { success: true });
    assert.equal(await statusOf(service, business, quote), 'SENT');
    const [mail, ...more] = await mailsTo(service, quote);
    assert.equal(more.length, 0);
    assert.match(mail?.subject ?? '', /COT-1 de Muebles Roble/);
    assert.deepEqual(
      mail?.attachments.map(({ filename, contentType }) => ({ filename, contentType })),
      [{ filename: 'COT-1.pdf', contentType: 'application/pdf' }],
    );
    const attached = await fetch(`${service.parts.inbox.apiUrl}/${mail?.id}/attachments/0`);
    const { text } = await readPdf(Buffer.from(await attached.arrayBuffer()));
    assert.match(text, /COT-1\b/);
    assert.match(text, /Silla de roble/);

    assert.deepEqual(await eventsOf(service, quote), ['quote.created', 'quote.status_changed', 'quote.sent']);
    assert.deepEqual(await auditOf(service, quote), ['create', 'share', 'status_change']);

    const run = await eventually(async () => {
      const description = await service.temporal.workflow.getHandle(quote.workflowId).describe();
      assert.deepEqual(description.searchAttributes['QuoteStatus'], ['SENT']);
      return description;
    });
    assert.equal(run.type, 'quoteLifecycle');
    assert.equal(run.status.name, 'RUNNING');
    assert.equal(await run.staticSummary(), 'Cotización COT-1');
    assert.deepEqual(run.searchAttributes['QuoteId'], [quote.id]);
    assert.deepEqual(run.searchAttributes['TenantId'], [business.tenantId]);
    assert.deepEqual(run.searchAttributes['QuoteNumber'], [1]);
  });

  it('the audit entries of a share name its execution, and an owner can read that', async () => {
    const quote = await makeQuote(service, business);
    await share(service, business, quote);

    const { data } = (await service.http.get('/api/audit-logs?entity=quote', business.owner)).body;

    const run = await runOf(service, quote);
    const entries = data.filter(({ entityId }: { entityId: string }) => entityId === quote.id);
    assert.deepEqual(
      new Map(entries.map(({ action, metadata }: AuditEntry) => [action, metadata.run])),
      new Map([
        ['create', undefined],
        ['share', run],
        ['status_change', run],
      ]),
    );
  });

  it('each quote has one execution in the list, and every event is dispatched', async () => {
    const quote = await makeQuote(service, business);
    await share(service, business, quote);

    await eventually(async () => {
      const waiting = await service.rows('select id from outbox_events where dispatched_at is null');
      assert.deepEqual(waiting, []);
    });
    const runs = await eventually(async () => {
      const found: string[] = [];
      const listed = service.temporal.workflow.list({
        // The reminder of its expiry is a separate execution.
        query: `QuoteId = "${quote.id}" and WorkflowType = 'quoteLifecycle'`,
      });
      for await (const { workflowId } of listed) found.push(workflowId);
      assert.notEqual(found.length, 0);
      return found;
    });
    assert.deepEqual(runs, [quote.workflowId]);
  });

  it('sharing a SENT quote mails it again, and leaves its status', async () => {
    const quote = await makeQuote(service, business);
    await share(service, business, quote);

    const res = await share(service, business, quote);

    assert.equal(res.status, 200);
    const mails = await mailsTo(service, quote);
    assert.equal(mails.length, 2);
    assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 2);
    assert.deepEqual(await eventsOf(service, quote), [
      'quote.created',
      'quote.status_changed',
      'quote.sent',
      'quote.sent',
    ]);
    assert.deepEqual(await auditOf(service, quote), ['create', 'share', 'share', 'status_change']);
  });

  it('sharing a WON quote mails it again in a new execution that then ends, and leaves its status', async () => {
    const quote = await makeQuote(service, business);
    await share(service, business, quote);
    await service.http.patch(`/api/quotes/${quote.id}/status`, { status: 'WON' }, business.owner);
    const handle = service.temporal.workflow.getHandle(quote.workflowId);
    await eventually(async () => assert.equal((await handle.describe()).status.name, 'COMPLETED'));

    const res = await share(service, business, quote);

    assert.equal(res.status, 200);
    assert.equal((await mailsTo(service, quote)).length, 2);
    assert.equal(await statusOf(service, business, quote), 'WON');
    await eventually(async () => assert.equal((await handle.describe()).status.name, 'COMPLETED'));
  });

  it('twenty concurrent shares send one mail and are all answered 200', async () => {
    const quote = await makeQuote(service, business);

    const answers = await Promise.all(Array.from({ length: 20 }, () => shareOnce(service, business, quote)));

    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    );
    assert.equal((await mailsTo(service, quote)).length, 1);
    assert.deepEqual(await eventsOf(service, quote), ['quote.created', 'quote.status_changed', 'quote.sent']);
  });
});
