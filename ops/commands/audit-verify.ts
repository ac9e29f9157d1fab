import type { WithTenant } from '../../db/with-tenant.ts';
import { findTenant, tenantPages, type TenantRef } from '../../db/reads/tenants.ts';
import { type Damage, verifyAudit } from '../../db/reads/verify-audit.ts';
import { CommandError, print, UsageError } from './command.ts';
import { withTenants } from './tenants.ts';

const WORDS: Readonly<Record<Damage, string>> = {
  entries_missing: 'faltan entradas',
  entries_added: 'hay entradas añadidas después del sello',
  entries_changed: 'hay entradas cambiadas o cambiadas de orden',
  seal_missing: 'falta un sello o se cambió',
  head_unknown: 'la cadena no pasa por el sello dado: se rehízo',
};

/**
 * Checks the audit log of one business, or of all, against its seals. Prints a line for each: slug, ok or ROTO, sealed
 * entries, seals, hash of the newest, entries not sealed yet. Fails when one is broken.
 */
export async function run([slugOrId, knownHead, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0 || (knownHead !== undefined && !/^[0-9a-f]{64}$/.test(knownHead))) throw new UsageError();
  let broken = 0;
  await withTenants(async ({ knex, withTenant }) => {
    if (slugOrId !== undefined) {
      const tenant = await findTenant(knex, slugOrId);
      if (!tenant) throw new CommandError(`No hay un negocio con el slug o id ${slugOrId}.`);
      broken += await check(withTenant, tenant, knownHead);
      return;
    }
    for await (const page of tenantPages(knex)) {
      for (const tenant of page) broken += await check(withTenant, tenant);
    }
  });
  if (broken > 0)
    throw new CommandError(`La bitácora de ${broken} ${broken === 1 ? 'negocio' : 'negocios'} está rota.`);
}

/** Prints its line. Returns 1 when it is broken. */
async function check(withTenant: WithTenant, { id, slug }: TenantRef, knownHead?: string): Promise<0 | 1> {
  // In one snapshot: a seal that is written concurrently must not look like a missing one.
  const { entries, seals, head, unsealed, broken } = await withTenant(id, (trx) => verifyAudit(trx, knownHead), {
    isSnapshot: true,
  });
  const where = broken && `sello ${broken.number}, de ${broken.from} a ${broken.until}: ${WORDS[broken.damage]}`;
  print([slug, broken ? 'ROTO' : 'ok', entries, seals, head, unsealed, ...(where ? [where] : [])].join('\t'));
  return broken ? 1 : 0;
}
