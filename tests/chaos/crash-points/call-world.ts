import assert from 'node:assert/strict';
import type { Response } from '../../api/service.ts';
import { auditOf, type Business, eventsOf, makeQuote, type Quote, register } from '../../journey/business.ts';
import type { Installation } from '../../journey/installation.ts';

/** One call in a separate business, whose effects can be counted. */
export interface Call {
  readonly name: string;
  readonly business: Business;
  /** Makes the call; the same one each time, with its Idempotency-Key if it takes one. */
  send(): Promise<Pick<Response, 'status'>>;
  /** Statuses that confirm the effect; a repeated change without a key is refused. */
  readonly good: readonly number[];
  /**
   * Throws unless it had its effect exactly once, and each of its mails arrived.
   *
   * @param failures how often it was answered 500: then it is unknown whether the mail was sent, and a caller who
   * repeats such a share intends to send it again
   */
  assertOnce(failures: number): Promise<void>;
  /** How often each of its mails arrived, by Message-ID; absent for a call without mails. */
  copies?(): Promise<readonly number[]>;
}

export type Make = (service: Installation) => Promise<Call>;

/** A business with one quote. */
export async function prepare(service: Installation, items?: readonly object[]) {
  const business = await register(service);
  const quote = await makeQuote(service, business, undefined, undefined, items);
  const [client] = await service.rows('select client_id from quotes where id = $1', quote.id);
  const body = { clientId: client?.['client_id'], items: [{ productName: 'Mesa', quantity: 1, unitPrice: 900 }] };

  return {
    business,
    quote,
    body,
    call(name: string, method: string, path: string, content?: object) {
      const headers = {
        ...business.owner,
        ...(method === 'POST' && { 'Idempotency-Key': `${name.replaceAll(' ', '-')}-${quote.id}` }),
      };
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

/** A business with a quote that was sent to its client without a mail. */
export async function prepareSent(service: Installation, items?: readonly object[]) {
  const on = await prepare(service, items);
  await on.call('sent', 'PATCH', `/api/quotes/${on.quote.id}/status`, { status: 'SENT' }).send();
  return on;
}

/** Rows of `mails` about a quote or its messages, by kind. */
const mailRows = (service: Installation, { id }: Quote) =>
  service.rows(
    `select m.id, m.kind, m.status from mails m left join quote_messages q on q.id = m.message_id
      where coalesce(m.quote_id, q.quote_id) = $1 order by m.kind`,
    id,
  );

/** One row for each of these mails, sent. */
export async function assertMails(service: Installation, quote: Quote, kinds: readonly string[]): Promise<void> {
  assert.deepEqual(
    (await mailRows(service, quote)).map(({ kind, status }) => [kind, status]),
    kinds.map((kind) => [kind, 'SENT']),
  );
}

/** How often the mail of each row arrived. */
export async function copiesOfRows(service: Installation, quote: Quote): Promise<readonly number[]> {
  const rows = await mailRows(service, quote);
  return copiesOf(
    service,
    rows.map(({ id, kind }) => `<${String(kind).startsWith('answer') ? 'answer' : 'message'}.${String(id)}@`),
  );
}

/** How often mails arrived whose Message-IDs begin so. */
export async function copiesOf(service: Installation, beginnings: readonly string[]): Promise<number[]> {
  const received = await service.parts.inbox.messages();
  return beginnings.map((beginning) => received.filter(({ messageId }) => messageId?.startsWith(beginning)).length);
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
