import { findTenant } from '../../db/reads/tenants.ts';
import { TwoFactor } from '../../db/models/two-factor.ts';
import { User } from '../../db/models/user.ts';
import { cleanLine } from '../../domain/clean-text.ts';
import { CommandError, print, UsageError } from './command.ts';
import { withTenants } from './tenants.ts';

/** Prints the users of a business, one a line: address, role, state, second factor, last sign-in, id and name. */
export async function run([slugOrId, ...more]: readonly string[]): Promise<void> {
  if (!slugOrId || more.length > 0) throw new UsageError();
  await withTenants(async ({ knex, withTenant }) => {
    const tenant = await findTenant(knex, slugOrId);
    if (!tenant) throw new CommandError(`No hay un negocio con el slug o id ${slugOrId}.`);
    const { id: tenantId } = tenant;
    const { users, factors } = await withTenant(tenantId, async (trx) => ({
      users: await User.query(trx).where({ tenantId }).orderBy('email'),
      factors: await TwoFactor.query(trx).where({ tenantId }).whereNotNull('enabledAt'),
    }));
    for (const { email, role, isActive, passwordHash, lastLoginAt, id, name } of users) {
      const state = isActive ? (passwordHash === null ? 'invited' : 'active') : 'disabled';
      const factor = factors.some(({ userId }) => userId === id) ? 'two-factor' : '-';
      print([email, role, state, factor, lastLoginAt?.toISOString() ?? '-', id, cleanLine(name)].join('\t'));
    }
  });
}
