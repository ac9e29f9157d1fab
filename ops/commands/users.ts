import { User } from '../../db/models/user.ts';
import { createLookups } from '../../db/reads/lookups.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { CommandError } from './command.ts';
import { type TenantsAccess, withTenants } from './tenants.ts';

/** The author of an operator's changes of a user, for the audit log. */
export const operatorOf = (tenantId: string) =>
  ({ tenantId, userId: null, kind: 'operator', requestId: null }) as const;

/** Runs a change of the user with this address, whose row is locked. Throws a CommandError when there is none. */
export async function withUser(
  email: string,
  change: (trx: TenantTransaction, user: User, access: TenantsAccess) => Promise<void>,
): Promise<void> {
  await withTenants(async (access) => {
    const found = await createLookups(access.app).userByEmail(email);
    if (!found) throw new CommandError(`No hay una cuenta con el correo ${email}.`);
    const { tenantId, userId } = found;
    await access.withTenant(tenantId, async (trx) => {
      const user = await User.query(trx).findOne({ tenantId, id: userId }).forNoKeyUpdate().throwIfNotFound();
      await change(trx, user, access);
    });
  });
}
