import { resolve } from 'node:path';
import { readTenantExportConfig } from '../../adapters/config.ts';
import { createStorage } from '../../adapters/storage.ts';
import { connect } from '../../db/database.ts';
import { createWithTenant } from '../../db/with-tenant.ts';
import { exportTenant } from '../tenant-export.ts';
import { aloneWithTenant } from '../tenant-lock.ts';
import { print, UsageError } from './command.ts';
import { tenantNamed, withTenants } from './tenants.ts';

/** A large table is sorted before its first row is read. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/**
 * Writes what a business has into a new folder, and prints how many rows and files. Prints a line for each file that the
 * bucket lacks (FALTA) or that has another content than its row says (CAMBIÓ).
 */
export async function run([slugOrId, folder, ...more]: readonly string[]): Promise<void> {
  if (!slugOrId || !folder || more.length > 0) throw new UsageError();
  const config = readTenantExportConfig();
  const target = resolve(folder);
  await withTenants(async ({ knex }) => {
    const tenant = await tenantNamed(knex, slugOrId);
    const storage = createStorage(config);
    const app = connect({
      url: config.DATABASE_URL,
      pool: 1,
      applicationName: 'quoting-tenant-export',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    const withTenant = createWithTenant(app, () => undefined);
    try {
      const { tables, files, missing, altered } = await aloneWithTenant(config.DATABASE_DISPATCHER_URL, tenant, () =>
        exportTenant({ withTenant, storage }, tenant, target),
      );
      for (const key of missing) print(`FALTA\t${key}`);
      for (const key of altered) print(`CAMBIÓ\t${key}`);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      print([tenant.slug, `filas ${rows}`, `archivos ${files.length}`, target].join('\t'));
    } finally {
      storage.close();
      await app.destroy();
    }
  });
}
