import { newestFirst } from '../../db/reads/newest-first.ts';
import { Type } from 'typebox';
import { apiKeyNotFound, limitReached } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { Done, done, IdParams } from '../schema.ts';
import { apiKeyBody } from './present.ts';
import { manageableKeys } from './queries.ts';
import { ApiKeyBody, CreateApiKey, CreatedApiKey } from './schema.ts';
import { createApiKey, revokeApiKey } from './write.ts';

export const apiKeyRoutes = ({ now }: Pick<Deps, 'now'>): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/api-keys',
    operationId: 'listApiKeys',
    tag: 'API keys',
    summary: 'Lista las claves que no se revocaron',
    description: 'Las propias; quien administra la configuración ve las de todo el negocio.',
    access: 'authenticated',
    keys: 'full',
    responses: { 200: { description: 'Todas, de la más nueva a la más antigua', schema: Type.Array(ApiKeyBody) } },
    handle: ({ caller, inTenant }) =>
      inTenant(async (trx) => {
        const keys = await manageableKeys(trx, caller).orderBy(newestFirst());
        return keys.map(apiKeyBody);
      }),
  }),
  route({
    method: 'POST',
    path: '/api/api-keys',
    operationId: 'createApiKey',
    tag: 'API keys',
    needsVerifiedEmail: true,
    summary: 'Crea una clave de API',
    description:
      'Tiene los permisos de quien la crea, tal como sean en cada llamada, dentro de su alcance. Solo se muestra en esta respuesta. Una clave que vence crea otras que vencen a más tardar con ella.',
    access: 'authenticated',
    idempotency: 'transaction',
    body: CreateApiKey,
    responses: { 201: { description: 'La clave', schema: CreatedApiKey } },
    refusals: [limitReached('apiKeys')],
    handle: ({ caller, body, ip, transact }) =>
      transact(async (trx) => ({ status: 201, body: await createApiKey(trx, caller, body, { now: now(), ip }) })),
  }),
  route({
    method: 'DELETE',
    path: '/api/api-keys/:id',
    operationId: 'deleteApiKey',
    tag: 'API keys',
    summary: 'Revoca una clave de API',
    description: 'Deja de valer en ese momento. Las de otras personas, solo quien administra la configuración.',
    access: 'authenticated',
    params: IdParams,
    responses: { 200: { description: 'Revocada', schema: Done } },
    refusals: [apiKeyNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => revokeApiKey(trx, caller, params.id).then(done)),
  }),
];
