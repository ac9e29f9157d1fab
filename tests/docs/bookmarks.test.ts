import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { BOOKMARKS, filled } from '../../dev/pages/bookmarks.ts';
import { automationStart, lifecycleStart, mailStart, remindStart, workflowIds } from '../../workflows/contract.ts';
import { deliveryStart } from '../../worker/start-workflows.ts';
import { serviceWithoutWorker } from '../api/idle-namespace.ts';
import { devService, type Service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { needs } from '../stack.ts';
import { codesIn, document, tableOf } from './documents.ts';

needs('temporal');

/** Executions of two businesses without a worker: they stay as they were started. */
const QUOTE = { tenantId: 't1', quoteId: 'q1', tenantSlug: 't-uno', quoteNumber: 12, status: 'SENT' } as const;
const FOREIGN = { ...QUOTE, tenantId: 't2', quoteId: 'q2', tenantSlug: 't-dos', status: 'GENERATED' } as const;
const ENDED = { ...QUOTE, quoteId: 'q3', quoteNumber: 13, status: 'WON' } as const;
const about = { tenantId: 't1', quoteId: 'q1', quoteNumber: 12 };
const CREATED = { ...about, deliveryId: 'd1', webhookId: 'w1', event: 'quote.created', eventId: 'e1', replay: 0 };
const SENT = { ...CREATED, deliveryId: 'd2', webhookId: 'w2', event: 'quote.sent', eventId: 'e2' };
const RUN = { ...about, logId: 'l1', automationId: 'a1', event: 'quote.created', eventId: 'e1' };
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const LATER = { ...about, reminderId: 'later', automationId: 'a1', dueAt: inHours(1) };
const OVERDUE = { ...LATER, reminderId: 'overdue', automationId: null, dueAt: inHours(-1) };
const MAIL = { tenantId: 't1', mailId: 'm1' };

const [quote, foreign, ended] = [QUOTE, FOREIGN, ENDED].map(workflowIds.quote);
const [created, sent] = [CREATED, SENT].map(workflowIds.delivery);
const [run, later, overdue] = [workflowIds.automation(RUN), workflowIds.remind(LATER), workflowIds.remind(OVERDUE)];
const mail = workflowIds.mail(MAIL);

const KNOWN = { tenantId: 't1', quoteId: 'q1', quoteNumber: '12', webhookId: 'w1', automationId: 'a1' };

/** The result of each query for them. */
const FOUND: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'the whole story of a quote': [quote, created, sent, run, later, overdue],
  'one quote by its number': [quote, created, sent, run, later, overdue],
  'all of a business that is under way': [quote, created, sent, run, later, overdue, mail],
  'what a webhook has not got yet': [created],
  'deliveries of one kind of event': [created],
  'runs of an automation': [run, later],
  'automations and reminders that wait for their time': [later],
  'overdue: should have gone on and has not': [overdue],
  'quotes that wait for their client': [quote],
  'mails about accounts, answers and messages not out yet': [mail],
  'bugs: every expected ending is a completed run': [ended],
};

describe('bookmarks for Temporal', () => {
  let temporal: Client;
  let idle: Service;
  let connection: Connection;

  before(async () => {
    idle = await serviceWithoutWorker();
    connection = await Connection.connect({ address: idle.deps.config.TEMPORAL_ADDRESS });
    const { TEMPORAL_NAMESPACE: namespace } = idle.deps.config;
    temporal = new Client({ connection, namespace });
    const { workflow } = temporal;
    const planted = await Promise.all([
      workflow.start('quoteLifecycle', lifecycleStart(ENDED, null)),
      workflow.start('quoteLifecycle', lifecycleStart(QUOTE, null)),
      workflow.start('quoteLifecycle', lifecycleStart(FOREIGN, null)),
      workflow.start('deliverWebhook', deliveryStart(CREATED, null)),
      workflow.start('deliverWebhook', deliveryStart(SENT, null)),
      workflow.start('runAutomation', automationStart(RUN)),
      workflow.start('remind', remindStart(LATER)),
      workflow.start('remind', remindStart(OVERDUE)),
      workflow.start('sendMail', mailStart(MAIL, null)),
    ]);
    await planted[0].terminate();
    await eventually(async () => {
      assert.equal((await idsOf('')).length, planted.length);
      assert.deepEqual(await idsOf(`ExecutionStatus = 'Terminated'`), [ended]);
    });
    assert.ok((await idsOf('')).includes(foreign ?? ''));
  });
  after(() => connection.close());

  async function idsOf(query: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const { workflowId } of temporal.workflow.list({ query })) ids.push(workflowId);
    return ids.toSorted();
  }

  it('equal the table in operations.md', () => {
    const rows = tableOf(document('docs/operations.md'), 'question').map(([question, query]) => ({
      question,
      query: codesIn(query ?? '')[0],
    }));

    assert.deepEqual(
      rows,
      BOOKMARKS.map(({ question, query }) => ({ question, query })),
    );
    assert.deepEqual(
      rows.map(({ question }) => question),
      Object.keys(FOUND),
    );
  });

  for (const { question, query } of BOOKMARKS) {
    it(`the query finds ${question}`, async () => {
      const found = await idsOf(filled(query, { ...KNOWN, now: new Date().toISOString() }) ?? query);

      assert.deepEqual(found, FOUND[question]?.toSorted());
    });
  }

  it('appear on /dev with the typed values inserted, and their links carry valid queries', async () => {
    const uiUrl = 'http://127.0.0.1:8233';
    const { TEMPORAL_NAMESPACE } = idle.deps.config;
    const app = await devService({ TEMPORAL_UI_URL: uiUrl, TEMPORAL_NAMESPACE });

    const page = (await app.get(`/dev?${new URLSearchParams(KNOWN).toString()}`)).bytes.toString();

    const links = [...page.matchAll(/<td><a href="([^"]+)">/g)].map(
      ([, href = '']) => new URL(href.replaceAll('&amp;', '&')),
    );
    assert.equal(links.length, BOOKMARKS.length);
    for (const [i, link] of links.entries()) {
      assert.equal(link.origin + link.pathname, `${uiUrl}/namespaces/${TEMPORAL_NAMESPACE}/workflows`);
      const expected = FOUND[BOOKMARKS[i]?.question ?? ''];
      assert.deepEqual(await idsOf(link.searchParams.get('query') ?? ''), expected?.toSorted());
    }
  });

  it('are no links while a value is missing, and accept nothing that would end a string of the query', async () => {
    const app = await devService({ TEMPORAL_UI_URL: 'http://127.0.0.1:8233' });
    const hostile = new URLSearchParams({ quoteId: "x' OR TenantId != '" });

    const page = (await app.get(`/dev?${hostile.toString()}`)).bytes.toString();

    const story = page.split('<tr>').find((row) => row.includes('Toda la historia'));
    assert.match(story ?? '', /<code>QuoteId = &#39;&lt;quoteId&gt;&#39;<\/code>/);
    assert.doesNotMatch(story ?? '', /<a /);
  });
});
