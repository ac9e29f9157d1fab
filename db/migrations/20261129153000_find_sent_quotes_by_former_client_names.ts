import type { Knex } from 'knex';
import { createLookup, dropLookup } from '../row-security.ts';
import { ROLES } from '../roles.ts';

/**
 * A quote keeps its client's names from its first sending, and is found by them after the client was renamed. The
 * column is empty until then, so that most quotes cost the index nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.text('former_client_names');
  });
  await knex.raw(`update quotes q set former_client_names = concat_ws(E'\\n', q.client_contact_name, q.client_company_name)
    from clients c where c.tenant_id = q.tenant_id and c.id = q.client_id and q.status <> 'GENERATED'
    and (q.client_contact_name, q.client_company_name) is distinct from (c.contact_name, c.company_name)`);
  await knex.raw(`create index quotes_by_former_client on quotes using gin (tenant_id,
    search_text(former_client_names) gin_trgm_ops) where former_client_names is not null`);
  await knex.raw(`grant select (former_client_names) on quotes to ${ROLES.lookup}`);
  await createLookup(
    knex,
    'find_quotes_by_former_client(pattern text)',
    'quote_id text',
    `select q.id from public.quotes q where q.former_client_names is not null
     and q.tenant_id = current_setting('app.tenant_id', true)
     and public.search_text(q.former_client_names) like pattern escape '\\'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await dropLookup(knex, 'find_quotes_by_former_client(text)');
  // The index and the grant are dropped with the column.
  await knex.schema.alterTable('quotes', (table) => {
    table.dropColumn('former_client_names');
  });
}
