import assert from 'node:assert/strict';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { migrate, migrateDown } from '../../db/migrate.ts';
import { throwAwayDatabase } from './database.ts';

/** The newest migration of the version with five subscribable events. */
const BEFORE = '20261130230000_create_quote_attachments';

describe('rollback of the events of responses', () => {
  it('keeps the other events of a webhook, and switches off one without any', async () => {
    const { urls, end } = await throwAwayDatabase();
    await migrate(urls);
    const db = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });
    const tenantId = newId();
    await db('tenants').insert({ id: tenantId, slug: 't-vuelta', companyName: 'Acme', plan: 'PRO' });
    for (const [id, events] of [
      ['a', ['quote.sent', 'quote.accepted', 'client.created']],
      ['b', ['quote.expired']],
      ['c', ['quote.sent']],
    ] as const) {
      const secret = { secretSealed: 'x', secretLast4: 'last' };
      await db('webhooks').insert({ id, tenantId, url: 'https://example.com/hook', events, ...secret });
    }

    await migrateDown(urls.admin, { to: BEFORE });

    const rows = await db('webhooks').select('id', 'events', 'isActive').orderBy('id');
    await db.destroy();
    await end();
    assert.deepEqual(rows, [
      { id: 'a', events: ['quote.sent', 'client.created'], isActive: true },
      { id: 'b', events: ['quote.created'], isActive: false },
      { id: 'c', events: ['quote.sent'], isActive: true },
    ]);
  });
});
