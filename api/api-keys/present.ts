import type { ApiKey } from '../../db/models/api-key.ts';
import type { ResponseBody } from '../schema.ts';
import type { ApiKeyBody, CreatedApiKey } from './schema.ts';

const common = (apiKey: ApiKey) => ({
  id: apiKey.id,
  name: apiKey.name,
  prefix: apiKey.prefix,
  last4: apiKey.last4,
  scope: apiKey.scope,
  expiresAt: apiKey.expiresAt?.toISOString() ?? null,
  createdAt: apiKey.createdAt.toISOString(),
});

export const apiKeyBody = (apiKey: ApiKey): ResponseBody<typeof ApiKeyBody> => ({
  ...common(apiKey),
  userId: apiKey.userId,
  lastUsedAt: apiKey.lastUsedAt?.toISOString() ?? null,
  lastUsedIp: apiKey.lastUsedIp,
});

export const createdApiKey = (apiKey: ApiKey, key: string): ResponseBody<typeof CreatedApiKey> => ({
  ...common(apiKey),
  key,
});
