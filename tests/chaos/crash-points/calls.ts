import assert from 'node:assert/strict';
import { type Make, prepare } from './call-world.ts';
import { MAIL_CALLS } from './mail-calls.ts';
import { SHARE_CALLS } from './share-calls.ts';

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
  ...MAIL_CALLS,
  ...SHARE_CALLS,
};
