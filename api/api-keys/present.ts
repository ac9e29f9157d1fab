import type { ApiKey } from '../../db/models/api-key.ts';

const common = (apiKey: ApiKey) => ({
  id: apiKey.id,
  name: apiKey.name,
  prefix: apiKey.prefix,
  last4: apiKey.last4,
  createdAt: apiKey.createdAt.toISOString(),
});

export const apiKeyBody = (apiKey: ApiKey) => ({
  ...common(apiKey),
  lastUsedAt: apiKey.lastUsedAt?.toISOString() ?? null,
});

export const createdApiKey = (apiKey: ApiKey, key: string) => ({ ...common(apiKey), key });
