import { newestFirst } from '../../db/reads/newest-first.ts';
import { Type } from 'typebox';
import { ApiKey } from '../../db/models/api-key.ts';
import { apiKeyNotFound, limitReached } from '../../domain/errors.ts';
import { type Route, route } from '../route.ts';
import { Done, done, IdParams } from '../schema.ts';
import { apiKeyBody } from './present.ts';
import { ApiKeyBody, CreateApiKey, CreatedApiKey } from './schema.ts';
import { createApiKey, revokeApiKey } from './write.ts';

export const apiKeyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/api-keys',
    operationId: 'listApiKeys',
    tag: 'API keys',
    summary: 'Lista las claves vigentes del negocio',
    access: 'config:manage',
    responses: { 200: { description: 'Todas, de la más nueva a la más antigua', schema: Type.Array(ApiKeyBody) } },
    handle: ({ caller: { tenantId }, inTenant }) =>
      inTenant(async (trx) => {
        const keys = await ApiKey.query(trx).where({ tenantId }).whereNull('revokedAt').orderBy(newestFirst());
        return keys.map(apiKeyBody);
      }),
  }),
  route({
    method: 'POST',
    path: '/api/api-keys',
    operationId: 'createApiKey',
    tag: 'API keys',
    summary: 'Crea una clave de API',
    description:
      'Tiene los permisos de quien la crea, tal como sean en cada llamada. Solo se muestra en esta respuesta.',
    access: 'config:manage',
    idempotency: 'transaction',
    body: CreateApiKey,
    responses: { 201: { description: 'La clave', schema: CreatedApiKey } },
    refusals: [limitReached('apiKeys')],
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({ status: 201, body: await createApiKey(trx, caller, body) })),
  }),
  route({
    method: 'DELETE',
    path: '/api/api-keys/:id',
    operationId: 'deleteApiKey',
    tag: 'API keys',
    summary: 'Revoca una clave de API',
    description: 'Deja de valer en ese momento.',
    access: 'config:manage',
    params: IdParams,
    responses: { 200: { description: 'Revocada', schema: Done } },
    refusals: [apiKeyNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => revokeApiKey(trx, caller, params.id).then(done)),
  }),
];
