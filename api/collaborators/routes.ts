import { Type } from 'typebox';
import { User } from '../../db/models/user.ts';
import { collaboratorNotFound, emailTaken, lastOwner } from '../../domain/errors.ts';
import { mailQuotaReached } from '../../domain/request-refusals.ts';
import { assertFeature, featureNotInPlan } from '../../domain/plans.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { named, Done, done, IdParams } from '../schema.ts';
import { inviteCollaborator } from './invite.ts';
import { collaboratorBody } from './present.ts';
import { CollaboratorBody, InviteCollaborator, TransferQuotes, UpdateCollaborator } from './schema.ts';
import { transferQuotes } from './transfer.ts';
import { deactivateCollaborator, isDeactivation, updateCollaborator } from './write.ts';

const common = { tag: 'Collaborators', access: 'collaborators:manage' } as const;
const commonForPlan = { ...common, feature: 'collaborators' } as const;

export const collaboratorRoutes = (deps: Deps): readonly Route[] => [
  route({
    ...commonForPlan,
    method: 'GET',
    path: '/api/collaborators',
    operationId: 'listCollaborators',
    summary: 'Lista a las personas del negocio, dueños incluidos',
    responses: {
      200: { description: 'Todas, por antigüedad', schema: Type.Array(CollaboratorBody) },
    },
    handle: ({ caller: { tenantId }, inTenant }) =>
      inTenant(async (trx) => {
        const users = await User.query(trx).where({ tenantId }).orderBy(['createdAt', 'id']);
        return users.map(collaboratorBody);
      }),
  }),
  route({
    ...commonForPlan,
    method: 'POST',
    path: '/api/collaborators',
    operationId: 'inviteCollaborator',
    needsVerifiedEmail: true,
    summary: 'Invita a un colaborador',
    description:
      'Le llega un correo con un enlace que vale una vez y durante siete días. Mientras no acepte, puede pedirlo de nuevo con forgot-password.',
    // Strict, because it sends a mail to an arbitrary address.
    rate: 'share',
    idempotency: 'transaction',
    body: InviteCollaborator,
    responses: { 201: { description: 'El colaborador; `acceptedAt` es nulo', schema: CollaboratorBody } },
    refusals: [emailTaken(), mailQuotaReached(3600)],
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({
        status: 201,
        body: collaboratorBody(await inviteCollaborator(deps, trx, caller, body)),
      })),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: '/api/collaborators/:id',
    operationId: 'updateCollaborator',
    summary: 'Cambia el nombre, el rol o si está activo',
    description:
      'Desactivar cierra sus sesiones y detiene sus claves de API; al reactivar, las claves vuelven a valer. Solo ' +
      '`{"isActive": false}` no requiere el plan PRO.',
    params: IdParams,
    body: UpdateCollaborator,
    responses: { 200: { description: 'El colaborador', schema: CollaboratorBody } },
    refusals: [featureNotInPlan('collaborators'), collaboratorNotFound(), lastOwner()],
    handle: async ({ caller, params, body, inTenant }) => {
      if (!isDeactivation(body)) assertFeature(caller.plan, 'collaborators');
      return inTenant(async (trx) => collaboratorBody(await updateCollaborator(trx, caller, params.id, body)));
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/api/collaborators/:id',
    operationId: 'deleteCollaborator',
    summary: 'Desactiva a un colaborador',
    description: 'Sus sesiones y claves de API dejan de valer en ese momento. Sus cotizaciones se conservan.',
    params: IdParams,
    responses: { 200: { description: 'Desactivado', schema: Done } },
    refusals: [collaboratorNotFound(), lastOwner()],
    handle: ({ caller, params, inTenant }) =>
      inTenant((trx) => deactivateCollaborator(trx, caller, params.id).then(done)),
  }),
  route({
    ...commonForPlan,
    method: 'POST',
    path: '/api/collaborators/:id/transfer',
    operationId: 'transferQuotes',
    summary: 'Pasa todas sus cotizaciones a otra persona del negocio',
    idempotency: 'transaction',
    params: IdParams,
    body: TransferQuotes,
    responses: {
      200: {
        description: 'Cuántas cotizaciones cambiaron de manos',
        schema: named('QuoteTransfer', { transferred: Type.Integer({ minimum: 0, examples: [12] }) }),
      },
    },
    refusals: [collaboratorNotFound()],
    handle: ({ caller, params, body: { toUserId }, transact }) =>
      transact(async (trx) => ({
        status: 200,
        body: { transferred: await transferQuotes(trx, caller, { fromUserId: params.id, toUserId }) },
      })),
  }),
];
