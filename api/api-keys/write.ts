import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { newId } from '../../db/ids.ts';
import { ApiKey } from '../../db/models/api-key.ts';
import { assertBelowLimit } from '../../db/writes/assert-below-limit.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { apiKeyNotFound } from '../../domain/errors.ts';
import { createdApiKey } from './present.ts';
import type { CreateApiKey } from './schema.ts';

/**
 * Creates a key with the caller's permissions. Only its hash is stored, so no later response can show it. Throws a 409
 * beyond the limit.
 */
export async function createApiKey(trx: TenantTransaction, caller: Caller, { name }: CreateApiKey) {
  await assertBelowLimit(trx, 'apiKeys');
  const { tenantId, userId } = caller;
  const { key, hash, prefix, last4 } = newApiKey();
  const apiKey = await ApiKey.query(trx).insertAndFetch({ id: newId(), tenantId, userId, name, hash, prefix, last4 });
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'api_key',
    entityId: apiKey.id,
    metadata: { name, prefix, last4 },
  });
  return createdApiKey(apiKey, key);
}

/** Revokes a key of the business: the next call with it is a 401. */
export async function revokeApiKey(trx: TenantTransaction, caller: Caller, apiKeyId: string): Promise<void> {
  const { tenantId } = caller;
  const apiKey = await ApiKey.query(trx).findOne({ tenantId, id: apiKeyId }).whereNull('revokedAt').forUpdate();
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
