import { Tenant } from '../../db/models/tenant.ts';
import { tenantPages, type TenantRef } from '../../db/reads/tenants.ts';
import { cleanLine } from '../../domain/clean-text.ts';
import { print } from './command.ts';
import { withTenants } from './tenants.ts';

/** Prints a line for each business: slug, plan, id, day of registration and name, separated by tabs; a disabled one has one word more. */
export async function run(): Promise<void> {
  await withTenants(async ({ knex, withTenant }) => {
    const line = async ({ id, slug }: TenantRef): Promise<string> => {
      const { plan, createdAt, companyName, disabledAt } = await withTenant(id, (trx) =>
        Tenant.query(trx).findById(id).throwIfNotFound(),
      );
      const fields = [slug, plan, id, createdAt.toISOString().slice(0, 10), cleanLine(companyName)];
      return [...fields, ...(disabledAt ? ['desactivado'] : [])].join('\t');
    };
    for await (const page of tenantPages(knex)) {
      for (const text of await Promise.all(page.map(line))) print(text);
    }
  });
}
