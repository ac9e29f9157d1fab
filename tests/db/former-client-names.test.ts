import assert from 'node:assert/strict';
import { down, up } from '../../db/migrations/20261129153000_find_sent_quotes_by_former_client_names.ts';
import { ROLES } from '../../db/roles.ts';
import { rowsOf } from './database.ts';
import { twoTenants } from './two-tenants.ts';

describe('The migration that finds sent quotes by former client names', () => {
  const cases: readonly [what: string, quote: object, client: object, found: string | null][] = [
    ['keeps the names of a sent quote whose client was renamed', { status: 'SENT', contact: 'Laura Mendes', company: 'La Plama' }, { contact: 'Laura Méndez', company: 'La Palma' }, 'Laura Mendes\nLa Plama'],
    ['keeps them where only the company changed, and there was none', { status: 'WON', contact: 'Laura', company: null }, { contact: 'Laura', company: 'La Palma' }, 'Laura'],
    ['keeps nothing of a quote that was not sent', { status: 'GENERATED', contact: 'Laura Mendes', company: null }, { contact: 'Laura Méndez', company: null }, null],
    ['keeps nothing where the names are the same', { status: 'LOST', contact: 'Laura', company: null }, { contact: 'Laura', company: null }, null],
  ]; // prettier-ignore
  for (const [what, quote, client, found] of cases)
    it(what, async () => {
      const { owner, mine, theirs } = await twoTenants();
      const trx = await owner.transaction();
      try {
        await down(trx);
        // Later triggers know the column.
        await trx.raw('alter table quotes disable trigger user');
        await trx.raw('update clients set contact_name = :contact, company_name = :company where tenant_id = :mine', { ...client, mine }); // prettier-ignore
        await trx.raw(
          'update quotes set status = :status, client_contact_name = :contact, client_company_name = :company where tenant_id = :mine',
          { ...quote, mine },
        );
        await up(trx);

        const [row] = await rowsOf<{ kept: string | null }>(
          trx,
          'select former_client_names as kept from quotes where tenant_id = ?',
          [mine],
        );
        assert.equal(row?.kept, found);
        const foundBy = async (tenantId: string) => {
          await trx.raw("select set_config('app.tenant_id', ?, true)", [tenantId]);
          await trx.raw(`grant ${ROLES.app} to current_user`);
          await trx.raw(`set local role ${ROLES.app}`);
          const matched = await rowsOf(
            trx,
            "select quote_id from find_quotes_by_former_client(search_text('%laura%'))",
            [],
          );
          await trx.raw('reset role');
          return matched;
        };
        assert.equal((await foundBy(mine)).length, found === null ? 0 : 1);
        assert.equal((await foundBy(theirs)).length, 0);
      } finally {
        await trx.rollback();
      }
    });
});
