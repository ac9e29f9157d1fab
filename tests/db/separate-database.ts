import { connect } from '../../db/database.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { newId } from '../../db/ids.ts';
import { createWithPipeline, type WithPipeline } from '../../db/pipeline.ts';
import { createWithTenant, type WithTenant } from '../../db/with-tenant.ts';
import { newDatabase } from '../stack.ts';
import { rowsOf, type TestDatabase } from './database.ts';

/** A migrated database of its own, for tests that would disturb others in the shared one. */
export interface SeparateDatabase extends TestDatabase {
  readonly withTenant: WithTenant;
  readonly withPipeline: WithPipeline;
  /** A new business, as its id. */
  tenant(): Promise<string>;
  stop(): Promise<void>;
}

export async function separateDatabase(): Promise<SeparateDatabase> {
  const { urls } = await newDatabase();
  const pool = (url: string) => connect({ url, applicationName: 'quoting-test' });
  const [owner, app] = [pool(urls.admin), pool(urls.app)];
  const dispatcher = connectAsDispatcher({ url: urls.dispatcher, applicationName: 'quoting-test' });
  return {
    urls,
    owner,
    app,
    dispatcher,
    withTenant: createWithTenant(app, () => undefined),
    withPipeline: createWithPipeline(app, () => undefined),
    async tenant() {
      const id = newId();
      await rowsOf(owner, `insert into tenants (id, slug, company_name, plan) values (?, ?, 'Negocio', 'PRO')`, [
        id,
        `t-${id.slice(-8)}`,
      ]);
      return id;
    },
    async stop() {
      await Promise.all([owner.destroy(), app.destroy(), dispatcher.destroy()]);
    },
  };
}
