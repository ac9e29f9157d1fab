import { readSecretsConfig } from '../../adapters/config.ts';
import {
  createSecretBox,
  type SecretBox,
  type SecretPurpose,
  SecretUnreadable,
} from '../../adapters/crypto/secret-box.ts';
import { tenantPages } from '../../db/reads/tenants.ts';
import type { WithTenant } from '../../db/with-tenant.ts';
import {
  columnOf,
  resealBatch,
  type Resealed,
  type ResealRequest,
  SEALED_KINDS,
  type SealedKind,
} from '../../db/writes/reseal.ts';
import { CommandError, print } from './command.ts';
import { withTenants } from './tenants.ts';

/** Rows of a transaction: their locks are held for some tens of milliseconds. */
const ROWS = 200;

const PURPOSES: Readonly<Record<SealedKind, SecretPurpose>> = {
  webhookSecret: 'webhook_secret',
  previousWebhookSecret: 'webhook_secret',
  publicToken: 'public_token',
  oneTimeToken: 'one_time_token',
  twoFactorSecret: 'two_factor_secret',
  idempotentAnswer: 'idempotent_answer',
};

interface Count {
  renewed: number;
  unreadable: number;
}

/**
 * Reseals every stored secret with the first of ENCRYPTION_KEYS, while the service runs. What is sealed with it
 * already is not touched, so a run that was broken off is simply begun again. Prints, for each column, how many it
 * renewed and how many it could not read; fails when there are such.
 */
export async function run(): Promise<void> {
  const box = createSecretBox(readSecretsConfig().ENCRYPTION_KEYS);
  const counts = new Map(SEALED_KINDS.map((kind) => [kind, { renewed: 0, unreadable: 0 }]));
  await withTenants(async ({ knex, withTenant }) => {
    for await (const page of tenantPages(knex)) {
      for (const { id } of page) {
        for (const [kind, count] of counts) await renew(withTenant, id, kind, box, count);
      }
    }
  });
  for (const [kind, { renewed, unreadable }] of counts) print([columnOf(kind), renewed, unreadable].join('\t'));
  const lost = [...counts.values()].reduce((sum, { unreadable }) => sum + unreadable, 0);
  if (lost > 0) throw new CommandError(`${lost} secretos no se pudieron leer: falta la llave que los selló.`);
}

async function renew(withTenant: WithTenant, tenantId: string, kind: SealedKind, box: SecretBox, count: Count) {
  const reseal = ({ id, sealed }: { readonly id: string; readonly sealed: string }): string | undefined => {
    const place = { purpose: PURPOSES[kind], rowId: id };
    try {
      return box.seal(box.open(sealed, place), place);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  };
  let after: string | undefined = '';
  while (after !== undefined) {
    const request: ResealRequest = { kind, newest: box.newest, after, limit: ROWS, reseal };
    const batch: Resealed = await withTenant(tenantId, (trx) => resealBatch(trx, request));
    count.renewed += batch.renewed;
    count.unreadable += batch.unreadable.length;
    after = batch.after;
  }
}
