import assert from 'node:assert/strict';
import { createWithTenant, type TenantTransaction } from '../../db/with-tenant.ts';
import { isDatabaseUnavailable } from '../../db/unavailable.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';

describe('errors of the database', () => {
  let db: SeparateDatabase;
  before(async () => {
    db = await separateDatabase();
  });
  after(() => db.stop());

  it('is that it may be asked again, by one of two transactions that stood in each other’s way', async () => {
    const tenantId = await db.tenant();
    const withTenant = createWithTenant(db.app, () => undefined);
    const lock = (trx: TenantTransaction, name: string) =>
      trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name]);
    let both = 0;
    const bothHaveOne = () =>
      new Promise<void>((resolve) => {
        const look = setInterval(() => {
          if (both < 2) return;
          clearInterval(look);
          resolve();
        }, 10);
      });
    const crossing = ([first, second]: readonly [string, string]) =>
      withTenant(tenantId, async (trx) => {
        await lock(trx, first);
        both += 1;
        await bothHaveOne();
        await lock(trx, second);
      });

    const outcomes = await Promise.allSettled([crossing(['a', 'b']), crossing(['b', 'a'])]);

    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    assert.equal(reasons.length, 1);
    assert.equal(isDatabaseUnavailable(reasons[0]), true, String(reasons[0]));
  });

  it('is that the statement is wrong, when it is', async () => {
    const tenantId = await db.tenant();

    const thrown: unknown = await createWithTenant(db.app, () => undefined)(tenantId, (trx) =>
      trx.raw('select 1 / 0'),
    ).catch((error: unknown) => error);

    assert.equal(isDatabaseUnavailable(thrown), false, String(thrown));
  });
});
