import type { Knex } from 'knex';

/** Building an index takes seconds for large tables, in which they stay writable. */
export const config = { transaction: false };

/**
 * A line is found by its quote and place, an entry of the audit log by its time: their indexes become the primary keys. No
 * foreign key or query uses the id alone, and an index of random ids made each insert dearer.
 */
export async function up(knex: Knex): Promise<void> {
  await swap(knex, 'quote_items', {
    unique: 'tenant_id, quote_id, position',
    drop: 'drop constraint quote_items_tenant_id_quote_id_position_unique',
  });
  await swap(knex, 'audit_logs', { unique: 'tenant_id, created_at, id' });
  await knex.raw('drop index concurrently if exists audit_logs_newest');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists audit_logs_newest');
  await knex.raw('create index concurrently audit_logs_newest on audit_logs (tenant_id, created_at, id)');
  await swap(knex, 'audit_logs', { unique: 'id' });
  await swap(knex, 'quote_items', { unique: 'id' });
  const places = 'quote_items_tenant_id_quote_id_position_unique';
  await knex.raw(`drop index concurrently if exists ${places}`);
  await knex.raw(`create unique index concurrently ${places} on quote_items (tenant_id, quote_id, position)`);
  await knex.raw(`alter table quote_items add constraint ${places} unique using index ${places}`);
}

/** Gives a table another primary key. Safe to repeat: a build that failed leaves an invalid index. */
async function swap(knex: Knex, table: string, { unique, drop }: { unique: string; drop?: string }): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${table}_key`);
  await knex.raw(`create unique index concurrently ${table}_key on ${table} (${unique})`);
  await knex.transaction(async (trx) => {
    await trx.raw("set local lock_timeout = '10s'");
    await trx.raw(
      `alter table ${table} drop constraint ${table}_pkey, ${drop ? `${drop}, ` : ''}
         add constraint ${table}_pkey primary key using index ${table}_key`,
    );
  });
}
