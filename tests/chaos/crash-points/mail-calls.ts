import assert from 'node:assert/strict';
import { assertMails, copiesOfRows, type Make, prepareSent } from './call-world.ts';

/** Responses of a client and messages to one, with a mail for each recipient, which the worker sends later. */
export const MAIL_CALLS: Readonly<Record<string, Make>> = {
  accept: async (service) => {
    const on = await prepareSent(service);
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
        await assertMails(service, on.quote, ['answer_member', 'answer_signer']);
      },
      copies: () => copiesOfRows(service, on.quote),
    };
  },
  reject: async (service) => {
    const on = await prepareSent(service);
    return {
      ...on.call('reject', 'POST', `/api/portal/${on.quote.publicToken}/reject`, { reason: 'Muy caro' }),
      good: [200],
      async assertOnce() {
        await on.assertQuote(
          'REJECTED',
          ['create', 'status_change', 'status_change'],
          ['quote.created', 'quote.status_changed', 'quote.status_changed', 'quote.rejected'],
        );
        await assertMails(service, on.quote, ['answer_member']);
      },
      copies: () => copiesOfRows(service, on.quote),
    };
  },
  'accept a selection': async (service) => {
    const lamp = { productName: 'Lámpara', quantity: 1, unitPrice: 50, optional: true };
    const on = await prepareSent(service, [{ productName: 'Mesa', quantity: 1, unitPrice: 900 }, lamp]);
    const lines = await service.rows('select id from quote_items where quote_id = $1 and optional', on.quote.id);
    const selectedItemIds = lines.map(({ id }) => id);
    const body = { signerName: 'Laura', signerEmail: on.quote.clientEmail, version: 1, selectedItemIds };
    return {
      ...on.call('accept a selection', 'POST', `/api/portal/${on.quote.publicToken}/accept`, body),
      good: [200],
      async assertOnce() {
        await on.assertQuote(
          'ACCEPTED',
          ['create', 'status_change', 'status_change'],
          ['quote.created', 'quote.status_changed', 'quote.status_changed', 'quote.accepted'],
        );
        const sql = `select q.subtotal::int, bool_and(i.counts) as counts,
            (select count(*)::int from signatures s where s.quote_id = q.id) as signatures
          from quotes q join quote_items i on i.quote_id = q.id where q.id = $1 group by q.id`;
        assert.deepEqual(await service.rows(sql, on.quote.id), [{ subtotal: 950, counts: true, signatures: 1 }]);
        await assertMails(service, on.quote, ['answer_member', 'answer_signer']);
      },
      copies: () => copiesOfRows(service, on.quote),
    };
  },
  'request changes': async (service) => {
    const on = await prepareSent(service);
    const body = { message: '¿Puede incluir la instalación?', version: 1 };
    return {
      ...on.call('request changes', 'POST', `/api/portal/${on.quote.publicToken}/request-changes`, body),
      good: [201],
      async assertOnce() {
        await on.assertQuote(
          'SENT',
          ['changes_requested', 'create', 'status_change'],
          ['quote.created', 'quote.status_changed', 'quote.changes_requested'],
        );
        const sql = `select (select count(*)::int from quote_messages where quote_id = $1) as messages,
            (select count(*)::int from notifications where tenant_id = $2 and type = 'quote_changes_requested') as notified`;
        const counts = await service.rows(sql, on.quote.id, on.business.tenantId);
        assert.deepEqual(counts, [{ messages: 1, notified: 1 }]);
        await assertMails(service, on.quote, ['change_request']);
      },
      copies: () => copiesOfRows(service, on.quote),
    };
  },
  'write to the client': async (service) => {
    const on = await prepareSent(service);
    return {
      ...on.call('write to the client', 'POST', `/api/quotes/${on.quote.id}/messages`, { body: 'Con gusto.' }),
      good: [201],
      async assertOnce() {
        await on.assertQuote('SENT', ['create', 'message', 'status_change'], ['quote.created', 'quote.status_changed']);
        const sql = 'select count(*)::int as messages from quote_messages where quote_id = $1';
        assert.deepEqual(await service.rows(sql, on.quote.id), [{ messages: 1 }]);
        await assertMails(service, on.quote, ['quote_message']);
      },
      copies: () => copiesOfRows(service, on.quote),
    };
  },
};
