import type { Knex } from 'knex';
import type { DispatcherDb } from '../../db/dispatcher-db.ts';
import { readTenantsConfig } from '../../adapters/config.ts';
import { connect } from '../../db/database.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { createWithTenant, type WithTenant } from '../../db/with-tenant.ts';

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
