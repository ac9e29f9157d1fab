import type { Knex } from 'knex';
import type { DispatcherDb } from '../../db/dispatcher-db.ts';
import { readTenantsConfig } from '../../adapters/config.ts';
import { connect } from '../../db/database.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { findTenant, type TenantRef } from '../../db/reads/tenants.ts';
import { createWithTenant, type TenantTransaction, type WithTenant } from '../../db/with-tenant.ts';
import { CommandError, print, UsageError } from './command.ts';

/** What commands about businesses work with. */
export interface TenantsAccess {
  /** Its role finds every business. */
  readonly knex: DispatcherDb;
  /** As the app's role, for all that is a business's own. */
  readonly withTenant: WithTenant;
  /** The app's role outside of any business, for look-ups. */
  readonly app: Knex;
}

/** Connects to PostgreSQL for as long as the function runs. */
export async function withTenants(work: (access: TenantsAccess) => Promise<void>): Promise<void> {
  const config = readTenantsConfig();
  const knex = connectAsDispatcher({
    url: config.DATABASE_DISPATCHER_URL,
    pool: 1,
    applicationName: 'quoting-tenants',
  });
  const app = connect({ url: config.DATABASE_URL, pool: 4, applicationName: 'quoting-tenants' });
  try {
    // The dispatcher finds the few mails of these commands with its next poll.
    await work({ knex, app, withTenant: createWithTenant(app, () => undefined) });
  } finally {
    await knex.destroy();
    await app.destroy();
  }
}

/** The business with this slug or id. Throws a CommandError when there is none. */
export async function tenantNamed(knex: DispatcherDb, slugOrId: string): Promise<TenantRef> {
  const tenant = await findTenant(knex, slugOrId);
  if (!tenant) throw new CommandError(`No hay un negocio con el slug o id ${slugOrId}.`);
  return tenant;
}

/** A command that changes one business, and prints whether that was done or had been before. */
export const switchTenant =
  (change: (trx: TenantTransaction) => Promise<boolean>, words: { readonly done: string; readonly already: string }) =>
  async ([slugOrId, ...more]: readonly string[]): Promise<void> => {
    if (!slugOrId || more.length > 0) throw new UsageError();
    await withTenants(async ({ knex, withTenant }) => {
      const { id, slug } = await tenantNamed(knex, slugOrId);
      print(`${slug}: ${(await withTenant(id, change)) ? words.done : words.already}`);
    });
  };
