import assert from 'node:assert/strict';
import { down, up } from '../../db/migrations/20261129153010_withhold_links_of_other_clients.ts';
import { rowsOf } from './database.ts';
import { twoTenants } from './two-tenants.ts';

describe('The migration that withholds links of other clients', () => {
  const cases: readonly [what: string, given: { status: string; before: string; sharedAt: string | null }, withheld: boolean][] = [
    ['withholds the link of a quote that was revised for another client', { status: 'SENT', before: 'another', sharedAt: null }, true],
    ['withholds it when the last share was before the revision', { status: 'SENT', before: 'another', sharedAt: '2026-10-01' }, true],
    ['gives it where it was shared since', { status: 'SENT', before: 'another', sharedAt: '2026-12-01' }, false],
    ['gives it where the client stayed', { status: 'SENT', before: 'same', sharedAt: null }, false],
    ['gives it where the quote is over', { status: 'WON', before: 'another', sharedAt: null }, false],
  ]; // prettier-ignore
  for (const [what, { status, before, sharedAt }, withheld] of cases)
    it(what, async () => {
      const { owner, mine } = await twoTenants();
      const trx = await owner.transaction();
      try {
        await down(trx);
        // Later triggers know the column.
        await trx.raw('alter table quotes disable trigger user');
        const [quote] = await rowsOf<{ id: string; clientId: string }>(
          trx,
          'update quotes set status = ? where tenant_id = ? returning id, client_id as "clientId"',
          [status, mine],
        );
        const id = quote?.id ?? '';
        const clientId = before === 'same' ? quote?.clientId : before;
        await trx.raw("update quote_versions set snapshot = '{}'");
        await trx.raw(
          'update quote_versions set snapshot = ?, quote_id = ?, created_at = ? where tenant_id = ?',
          [JSON.stringify({ clientId }), id, '2026-11-01', mine], // prettier-ignore
        );
        await trx.raw('alter table audit_logs disable trigger user');
        await trx.raw(
          "update audit_logs set entity = 'quote', entity_id = ?, action = ?, created_at = ? where tenant_id = ?",
          [id, sharedAt ? 'share' : 'create', sharedAt ?? '2026-12-01', mine],
        );

        await up(trx);

        const [row] = await rowsOf<{ withheld: boolean }>(trx, 'select link_withheld as withheld from quotes where id = ?', [id]);
        assert.equal(row?.withheld, withheld);
      } finally {
        await trx.rollback();
      }
    }); // prettier-ignore
});
