import type { Knex } from 'knex';

/**
 * A quote that is revised for another client has a new link, which only a share sends: until then no other mail
 * contains it. The audit log says what was shared since.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.boolean('link_withheld').notNullable().defaultTo(false);
  });
  await knex.raw(`update quotes q set link_withheld = true
    from (select v.tenant_id, v.quote_id, v.snapshot::jsonb ->> 'clientId' as client_id, v.created_at from quote_versions v) v
    where v.tenant_id = q.tenant_id and v.quote_id = q.id and q.status = 'SENT' and v.client_id <> q.client_id
      and not exists (select from audit_logs a where a.tenant_id = q.tenant_id and a.entity = 'quote'
        and a.entity_id = q.id and a.action = 'share' and a.created_at > v.created_at)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.dropColumn('link_withheld');
  });
}
