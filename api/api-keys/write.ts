import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { newId } from '../../db/ids.ts';
import { ApiKey } from '../../db/models/api-key.ts';
import { assertBelowLimit } from '../../db/writes/assert-below-limit.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { requestSecurityMail } from '../../db/writes/request-security-mail.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { apiKeyNotFound, invalidInput } from '../../domain/errors.ts';
import { parseTime } from '../date-range.ts';
import { manageableKeys } from './queries.ts';
import { createdApiKey } from './present.ts';
import type { CreateApiKey } from './schema.ts';

/**
 * Creates a key with the caller's permissions. Only its hash is stored, so no later response can show it. Throws a 409
 * beyond the limit, and a 400 for an expiry that is past or later than that of the key that calls.
 */
export async function createApiKey(
  trx: TenantTransaction,
  caller: Caller,
  { name, scope = 'full', ...body }: CreateApiKey,
  { now, ip }: { now: Date; ip: string },
) {
  const expiresAt = expiryOf(caller, body.expiresAt ?? null, now);
  await assertBelowLimit(trx, 'apiKeys');
  const { tenantId, userId } = caller;
  const { key, hash, prefix, last4 } = newApiKey();
  const row = { id: newId(), tenantId, userId, name, hash, prefix, last4, scope, expiresAt };
  const apiKey = await ApiKey.query(trx).insertAndFetch(row);
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'api_key',
    entityId: apiKey.id,
    metadata: { name, prefix, last4, scope, expiresAt: expiresAt?.toISOString() ?? null },
  });
  const subject = `${name} (${prefix}…${last4})`;
  await requestSecurityMail(trx, { kind: 'api_key_created', userId, subject, ip, requestId: caller.requestId });
  return createdApiKey(apiKey, key);
}

/** When the new key expires. A key cannot make one that lives longer than itself; without a choice it passes its own expiry on. */
function expiryOf({ credential, timeZone }: Caller, chosen: string | null, now: Date): Date | null {
  const limit = credential.kind === 'key' ? credential.expiresAt : null;
  if (chosen === null) return limit;
  // A day ends with its last millisecond.
  const expiresAt = new Date(parseTime('expiresAt', chosen, timeZone).until.getTime() - 1);
  if (expiresAt <= now) throw invalidInput([{ path: 'expiresAt', message: 'debe estar en el futuro' }]);
  if (limit && expiresAt > limit)
    throw invalidInput([
      { path: 'expiresAt', message: 'no puede ser posterior al vencimiento de la clave que la crea' },
    ]);
  return expiresAt;
}

/** Revokes an own key, or with `config:manage` any of the business: the next call with it is a 401. */
export async function revokeApiKey(trx: TenantTransaction, caller: Caller, apiKeyId: string): Promise<void> {
  const { tenantId } = caller;
  const apiKey = await manageableKeys(trx, caller).findOne({ id: apiKeyId }).forUpdate();
  if (!apiKey) throw apiKeyNotFound();
  await ApiKey.query(trx).findOne({ tenantId, id: apiKeyId }).patch({ revokedAt: new Date() });
  const { name, prefix, last4, userId } = apiKey;
  await recordAudit(trx, memberActor(caller), {
    action: 'delete',
    entity: 'api_key',
    entityId: apiKeyId,
    metadata: { name, prefix, last4, userId },
  });
}
