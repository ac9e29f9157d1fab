import assert from 'node:assert/strict';
import { foldEmailAddress } from '../../domain/email-address.ts';
import { rowsOf } from './database.ts';
import { twoTenants, type TwoTenants } from './two-tenants.ts';

const letters = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => String.fromCodePoint(from + i)).join('');
/** Every letter up to the end of the plane that holds emoji, but U+0000 and surrogates, which PostgreSQL does not store. */
const ALL = `a${letters(0x1, 0xd800)}${letters(0xe000, 0x20000)}a`;

describe('e-mail addresses', () => {
  let db: TwoTenants;
  before(async () => {
    db = await twoTenants();
  });

  it('are case-folded by PostgreSQL exactly as by foldEmailAddress', async () => {
    const [row] = await rowsOf<{ folded: string }>(db.app, 'select lower(? collate "C") as folded', [ALL]);

    assert.ok(row?.folded === foldEmailAddress(ALL));
  });

  it('do not match with İ for i or the Kelvin sign for k', async () => {
    const [user] = await rowsOf<{ id: string }>(db.owner, 'select id from users where tenant_id = ?', [db.mine]);
    await rowsOf(db.owner, `update users set email = 'kiosko@libre.test' where id = ?`, [user?.id ?? '']);
    const found = async (address: string) =>
      (await rowsOf(db.app, 'select * from find_user_by_email(?)', [address])).length;

    assert.equal(await found('KIOSKO@libre.test'), 1);
    assert.equal(await found('kİosko@libre.test'), 0);
    assert.equal(await found('\u212Aiosko@libre.test'), 0);
  });

  it('are unique by the same rule', async () => {
    const [index] = await rowsOf<{ indexdef: string }>(
      db.owner,
      "select indexdef from pg_indexes where indexname = 'users_email'",
      [],
    );

    assert.match(index?.indexdef ?? '', /UNIQUE INDEX .*lower\(\(?email COLLATE "C"\)?\)/);
  });
});
