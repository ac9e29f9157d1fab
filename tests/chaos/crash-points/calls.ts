import assert from 'node:assert/strict';
import type { Response } from '../../api/service.ts';
import { eventually } from '../../eventually.ts';
import { auditOf, type Business, eventsOf, mailsTo, makeQuote, type Quote, register } from '../../journey/business.ts';
import type { Installation } from '../../journey/installation.ts';

/** One call to the API in a separate business, whose effects can be counted. */
export interface Call {
  readonly name: string;
  readonly business: Business;
  /** Makes the call; the same one each time, with its Idempotency-Key if it takes one. */
  send(): Promise<Response>;
  /** Statuses that confirm the effect; a repeated change without a key is refused. */
  readonly good: readonly number[];
  /**
   * Throws unless it had its effect exactly once.
   *
   * @param failures how often it was answered 500: then it is unknown whether the mail was sent, and a caller who
   * repeats such a share intends to send it again
   */
  assertOnce(failures: number): Promise<void>;
}

type Make = (service: Installation) => Promise<Call>;

/** The calls whose effects the product promises to have once, by name. */
export const CALLS: Readonly<Record<string, Make>> = {
  create: async (service) => {
    const on = await prepare(service);
    return {
      ...on.call('create', 'POST', '/api/quotes', on.body),
      good: [201],
      assertOnce: () => on.assertQuotes([1, 2], ['create'], ['quote.created']),
    };
  },
  duplicate: async (service) => {
    const on = await prepare(service);
    return {
      ...on.call('duplicate', 'POST', `/api/quotes/${on.quote.id}/duplicate`),
      good: [201],
      assertOnce: () => on.assertQuotes([1, 2], ['duplicate'], ['quote.created']),
    };
  },
  revise: async (service) => {
    const on = await prepare(service);
    return {
      ...on.call('revise', 'POST', `/api/quotes/${on.quote.id}/revise`, on.body),
      good: [200],
      async assertOnce() {
        await on.assertQuote(
          'GENERATED',
          ['create', 'quote.revised'],
          ['quote.created', 'quote.revised', 'quote.version_created'],
        );
        const sql = 'select version from quote_versions where quote_id = $1';
        assert.deepEqual(await service.rows(sql, on.quote.id), [{ version: 1 }]);
      },
    };
  },
  status: async (service) => {
    const on = await prepare(service);
    return {
      ...on.call('status', 'PATCH', `/api/quotes/${on.quote.id}/status`, { status: 'SENT' }),
      good: [200, 400],
      assertOnce: () => on.assertQuote('SENT', ['create', 'status_change'], ['quote.created', 'quote.status_changed']),
    };
  },
  accept: async (service) => {
    const on = await prepare(service);
    await on.call('sent', 'PATCH', `/api/quotes/${on.quote.id}/status`, { status: 'SENT' }).send();
    const body = { signerName: 'Laura', signerEmail: on.quote.clientEmail, version: 1 };
    return {
      ...on.call('accept', 'POST', `/api/portal/${on.quote.publicToken}/accept`, body),
      good: [200],
      async assertOnce() {
        await on.assertQuote(
          'ACCEPTED',
          ['create', 'status_change', 'status_change'],
          ['quote.created', 'quote.status_changed', 'quote.status_changed', 'quote.accepted'],
        );
        const sql = 'select count(*)::int as count from signatures where quote_id = $1';
        assert.deepEqual(await service.rows(sql, on.quote.id), [{ count: 1 }]);
        const signature = await service.http.get(`/api/quotes/${on.quote.id}/signature`, on.business.owner);
        assert.equal(signature.status, 200);
        await assertAnswerMails(service, on.quote, ['answer_member', 'answer_signer']);
      },
    };
  },
  reject: async (service) => {
    const on = await prepare(service);
    await on.call('sent', 'PATCH', `/api/quotes/${on.quote.id}/status`, { status: 'SENT' }).send();
    return {
      ...on.call('reject', 'POST', `/api/portal/${on.quote.publicToken}/reject`, { reason: 'Muy caro' }),
      good: [200],
      async assertOnce() {
        await on.assertQuote(
          'REJECTED',
          ['create', 'status_change', 'status_change'],
          ['quote.created', 'quote.status_changed', 'quote.status_changed', 'quote.rejected'],
        );
        await assertAnswerMails(service, on.quote, ['answer_member']);
      },
    };
  },
  'accept a selection': async (service) => {
    const lamp = { productName: 'Lámpara', quantity: 1, unitPrice: 50, optional: true };
    const on = await prepare(service, [{ productName: 'Mesa', quantity: 1, unitPrice: 900 }, lamp]);
    await on.call('sent', 'PATCH', `/api/quotes/${on.quote.id}/status`, { status: 'SENT' }).send();
    const lines = await service.rows('select id from quote_items where quote_id = $1 and optional', on.quote.id);
    const selectedItemIds = lines.map(({ id }) => id);
    const body = { signerName: 'Laura', signerEmail: on.quote.clientEmail, version: 1, selectedItemIds };
    return {
      ...on.call('accept', 'POST', `/api/portal/${on.quote.publicToken}/accept`, body),
      name: 'accept a selection',
      good: [200],
      async assertOnce() {
        await on.assertQuote(
          'ACCEPTED',
          ['create', 'status_change', 'status_change'],
          ['quote.created', 'quote.status_changed', 'quote.status_changed'],
        );
        const sql = `select q.subtotal::int, bool_and(i.counts) as counts,
            (select count(*)::int from signatures s where s.quote_id = q.id) as signatures
          from quotes q join quote_items i on i.quote_id = q.id where q.id = $1 group by q.id`;
        assert.deepEqual(await service.rows(sql, on.quote.id), [{ subtotal: 950, counts: true, signatures: 1 }]);
      },
    };
  },
  share: async (service) => {
    const on = await prepare(service);
    return {
      ...on.call('share', 'POST', `/api/quotes/${on.quote.id}/share`),
      good: [200],
      async assertOnce(failures) {
        await on.assertQuote(
          'SENT',
          ['create', 'share', 'status_change'],
          ['quote.created', 'quote.status_changed', 'quote.sent'],
        );
        const mails = await mailsTo(service, on.quote);
        const isOnce = mails.length >= 1 && mails.length <= 1 + failures;
        assert.ok(
          isOnce,
          `${failures} failures, mails: ${mails.map(({ at, messageId }) => `${at} ${messageId}`).join(', ')}`,
        );
      },
    };
  },
};

/** A business with one quote. */
async function prepare(service: Installation, items?: readonly object[]) {
  const business = await register(service);
  const quote = await makeQuote(service, business, undefined, undefined, items);
  const [client] = await service.rows('select client_id from quotes where id = $1', quote.id);
  const body = { clientId: client?.['client_id'], items: [{ productName: 'Mesa', quantity: 1, unitPrice: 900 }] };

  return {
    business,
    quote,
    body,
    call(name: string, method: string, path: string, content?: object) {
      const headers = { ...business.owner, ...(method === 'POST' && { 'Idempotency-Key': `${name}-${quote.id}` }) };
      const request = content ? { headers, body: content } : { headers };
      return { name, business, send: () => service.http.request(method, path, request) };
    },
    /** The last created quote exists once, and the numbers have no gap. */
    async assertQuotes(numbers: readonly number[], audit: readonly string[], events: readonly string[]) {
      const sql = 'select id, quote_number from quotes where tenant_id = $1 order by quote_number';
      const quotes = await service.rows(sql, business.tenantId);
      assert.deepEqual(
        quotes.map((row) => row['quote_number']),
        numbers,
      );
      await assertStory(service, { ...quote, id: String(quotes.at(-1)?.['id']) }, audit, events);
    },
    async assertQuote(status: string, audit: readonly string[], events: readonly string[]) {
      assert.deepEqual(await service.rows('select status from quotes where id = $1', quote.id), [{ status }]);
      await assertStory(service, quote, audit, events);
    },
  };
}

/** One mail for each recipient of the answer, sent and received under a Message-ID of its own. */
async function assertAnswerMails(service: Installation, quote: Quote, kinds: readonly string[]): Promise<void> {
  const sql = 'select id, kind, status from mails where quote_id = $1 order by kind';
  const mails = await eventually(async () => {
    const found = await service.rows(sql, quote.id);
    assert.deepEqual(
      found.map(({ kind, status }) => [kind, status]),
      kinds.map((kind) => [kind, 'SENT']),
    );
    return found;
  });
  const received = await service.parts.inbox.messages();
  for (const { id } of mails) {
    const copies = received.filter(({ messageId }) => messageId?.includes(`answer.${String(id)}@`));
    // A worker that dies after the mail server took a mail, and before it could say so, sends the same message again.
    assert.ok(copies.length === 1 || copies.length === 2, `${copies.length} copies of mail ${String(id)}`);
  }
}

/** One audit entry and one event for each change, all of them dispatched to Temporal. */
async function assertStory(
  service: Installation,
  quote: Quote,
  audit: readonly string[],
  events: readonly string[],
): Promise<void> {
  assert.deepEqual(await auditOf(service, quote), audit);
  assert.deepEqual(await eventsOf(service, quote), events);
  const sql = 'select count(*)::int as count from outbox_events where quote_id = $1 and dispatched_at is null';
  assert.deepEqual(await service.rows(sql, quote.id), [{ count: 0 }], 'events that were not dispatched');
}
