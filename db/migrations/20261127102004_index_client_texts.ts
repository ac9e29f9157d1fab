import type { Knex } from 'knex';
import { createLookup, dropLookup, readableByLookups } from '../row-security.ts';

/**
 * LIKE is not leakproof, so with row-level security it is never an index condition. The search calls a function of the
 * look-up role, whose policy hides nothing and which filters by the transaction's tenant itself.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create extension if not exists pg_trgm');
  await knex.raw('create extension if not exists btree_gin');
  await knex.raw(`create index clients_by_text on clients using gin (tenant_id, search_text(contact_name) gin_trgm_ops,
    search_text(company_name) gin_trgm_ops, search_text(email) gin_trgm_ops)`);
  await readableByLookups(knex, 'clients', ['id', 'tenant_id', 'contact_name', 'company_name', 'email']);
  await createLookup(
    knex,
    'find_clients_by_name(pattern text)',
    'client_id text',
    `select c.id from public.clients c where c.tenant_id = current_setting('app.tenant_id', true)
     and (public.search_text(c.contact_name) like pattern escape '\\'
       or public.search_text(c.company_name) like pattern escape '\\')`,
  );
  await createLookup(
    knex,
    'find_clients_by_text(pattern text)',
    'client_id text',
    `select c.id from public.clients c where c.tenant_id = current_setting('app.tenant_id', true)
     and (public.search_text(c.contact_name) like pattern escape '\\'
       or public.search_text(c.company_name) like pattern escape '\\'
       or public.search_text(c.email) like pattern escape '\\')`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await dropLookup(knex, 'find_clients_by_text(text)');
  await dropLookup(knex, 'find_clients_by_name(text)');
  await knex.raw('drop policy lookup on clients');
  await knex.raw('revoke select (id, tenant_id, contact_name, company_name, email) on clients from quoting_lookup');
  await knex.raw('drop index clients_by_text');
}
