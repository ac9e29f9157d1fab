import { connect } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { newId } from '../../db/ids.ts';
import { createWithTenant, type WithTenant } from '../../db/with-tenant.ts';
import { rowsOf, type TestDatabase, throwAwayDatabase } from './database.ts';

/** A migrated server of its own, for tests that would be in the way of others in the shared one. */
export interface SeparateDatabase extends TestDatabase {
  readonly withTenant: WithTenant;
  /** A new business, as its id. */
  tenant(): Promise<string>;
  stop(): Promise<void>;
}

export async function separateDatabase(): Promise<SeparateDatabase> {
  const { urls, end } = await throwAwayDatabase();
  await migrate(urls);
  const pool = (url: string) => connect({ url, applicationName: 'quoting-test' });
  const [owner, app, relay] = [pool(urls.admin), pool(urls.app), pool(urls.relay)];
  return {
    urls,
    owner,
    app,
    relay,
    withTenant: createWithTenant(app, () => undefined),
    async tenant() {
      const id = newId();
      await rowsOf(owner, `insert into tenants (id, slug, company_name, plan) values (?, ?, 'Negocio', 'PRO')`, [
        id,
        `t-${id.slice(-8)}`,
      ]);
      return id;
    },
    async stop() {
      await Promise.all([owner.destroy(), app.destroy(), relay.destroy()]);
      await end();
    },
  };
}
