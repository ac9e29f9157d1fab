import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

const ERASER = ROLES.eraser;
const FUNCTION = 'erase_registration(text, text, integer)';

/** Housekeeping deletes registrations that were not confirmed: through a function that refuses any other tenant. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index tenants_unverified on tenants (created_at) where not is_verified');
  await knex.raw(`grant select (is_verified, created_at) on tenants to ${ROLES.dispatcher}, ${ERASER}`);
  // Row-level security holds inside of it, too: the eraser sees the tenant that is set, if that is disabled.
  await knex.raw(
    `create function erase_registration(tenant text, of_table text, batch integer) returns integer
       language plpgsql security definer set search_path = pg_catalog, public as $erase$
     declare erased integer;
     begin
       perform set_config('app.tenant_id', tenant, true);
       perform from public.tenants t
         where t.id = tenant and not t.is_verified and t.created_at < now() - interval '1 day';
       if not found then return 0; end if;
       if of_table = 'tenants' then
         delete from public.tenants t where t.id = tenant;
       else
         execute format('delete from public.%1$I where ctid = any (array(
           select ctid from public.%1$I where tenant_id = $1 limit $2))', of_table) using tenant, batch;
       end if;
       get diagnostics erased = row_count;
       return erased;
     end $erase$`,
  );
  await knex.raw(`revoke all on function ${FUNCTION} from public`);
  await knex.raw(`grant execute on function ${FUNCTION} to ${ROLES.dispatcher}`);
  // Giving a function away takes the new owner's right to create in the schema, for a moment.
  await knex.raw(`grant create on schema public to ${ERASER}`);
  await knex.raw(`alter function ${FUNCTION} owner to ${ERASER}`);
  await knex.raw(`revoke create on schema public from ${ERASER}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop function ${FUNCTION}`);
  await knex.raw(`revoke select (is_verified, created_at) on tenants from ${ROLES.dispatcher}, ${ERASER}`);
  await knex.raw('drop index tenants_unverified');
}
