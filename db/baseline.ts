import type { Knex } from 'knex';

/**
 * The first 37 migrations were replaced by a baseline of the same schema, before the first release. A database that has
 * them all has the baseline: only its bookkeeping changes.
 */

const FORMER = { last: '20261128075000_let_relay_see_failing_webhooks', count: 37, commit: '9fa9f9a' } as const;
const LAST_OF_BASELINE = '20261128080080_allow_retention';

/**
 * Puts the baseline in place of the former migrations in Knex's bookkeeping, within the caller's transaction. Throws for
 * a database that has only some of them. `names` are all migrations of this version.
 */
export async function adoptBaseline(trx: Knex.Transaction, names: readonly string[]): Promise<void> {
  const former = await trx<{ name: string }>('knex_migrations').where('name', '<=', FORMER.last).orderBy('name');
  if (former.length === 0) return;
  const newest = former.at(-1)?.name;
  if (newest !== FORMER.last || former.length !== FORMER.count) {
    throw new Error(
      `this version cannot upgrade a database whose newest migration is ${newest}. Install commit ${FORMER.commit}, ` +
        `run its "npm run migrate" once, and then upgrade to this version. Nothing was changed.`,
    );
  }
  const baseline = names.filter((name) => name <= LAST_OF_BASELINE);
  await trx.raw(
    `with former as (delete from knex_migrations where name <= ? returning batch, migration_time)
     insert into knex_migrations (name, batch, migration_time)
       select name, max(batch), max(migration_time) from former, unnest(?::text[]) as name group by name order by name`,
    [FORMER.last, baseline],
  );
}
