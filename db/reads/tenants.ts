import type { DispatcherDb } from '../dispatcher-db.ts';

/** The businesses, for operators. Uses the dispatcher's role, which sees only these columns. */
export interface TenantRef {
  readonly id: string;
  readonly slug: string;
}

/** Those after this slug, in order of their slugs. */
export const tenantsPage = async (
  knex: DispatcherDb,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly TenantRef[]> =>
  knex<TenantRef>('tenants').select('id', 'slug').where('slug', '>', after).orderBy('slug').limit(limit);

/** The one with this slug or id. */
export const findTenant = async (knex: DispatcherDb, slugOrId: string): Promise<TenantRef | undefined> =>
  knex<TenantRef>('tenants').select('id', 'slug').where('slug', slugOrId).orWhere('id', slugOrId).first();
