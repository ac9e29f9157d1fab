import { findTenant } from '../../db/reads/tenants.ts';
import { changePlan } from '../../db/writes/change-plan.ts';
import { type Plan, PLANS } from '../../domain/plans.ts';
import { CommandError, print, UsageError } from './command.ts';
import { withTenants } from './tenants.ts';

/** Puts a business on a plan, and prints from which to which. */
export async function run([slugOrId, wanted, ...more]: readonly string[]): Promise<void> {
  if (!slugOrId || !wanted || more.length > 0) throw new UsageError();
  const plan = PLANS.find((name) => name === wanted.toUpperCase());
  if (!plan) throw new UsageError(`no hay un plan ${wanted}`);
  await withTenants(async ({ knex, withTenant }) => {
    const tenant = await findTenant(knex, slugOrId);
    if (!tenant) throw new CommandError(`No hay un negocio con el slug o id ${slugOrId}.`);
    const before: Plan = await withTenant(tenant.id, (trx) => changePlan(trx, plan));
    print(`${tenant.slug}: ${before === plan ? `sigue en ${plan}` : `${before} → ${plan}`}`);
  });
}
