import type { DispatcherDb } from '../dispatcher-db.ts';

/** The businesses, for operators. Uses the dispatcher's role, which sees only these columns. */
export interface TenantRef {
  readonly id: string;
  readonly slug: string;
}

const PAGE = 100;

/** Those after this slug, in order of their slugs. */
export const tenantsPage = async (
  knex: DispatcherDb,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly TenantRef[]> =>
  knex<TenantRef>('tenants').select('id', 'slug').where('slug', '>', after).orderBy('slug').limit(limit);

/** All of them, in pages of a hundred. */
export async function* tenantPages(knex: DispatcherDb): AsyncGenerator<readonly TenantRef[]> {
  let after = '';
  for (;;) {
    const page = await tenantsPage(knex, { after, limit: PAGE });
    yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.slug;
  }
}

/** The one with this slug or id. */
export const findTenant = async (knex: DispatcherDb, slugOrId: string): Promise<TenantRef | undefined> =>
  knex<TenantRef>('tenants').select('id', 'slug').where('slug', slugOrId).orWhere('id', slugOrId).first();
