import { Type } from 'typebox';
import { Session } from '../../db/models/session.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { revokeSession, revokeSessionsOf } from '../../db/writes/sessions.ts';
import { memberActor } from '../../domain/caller.ts';
import { sessionNotFound } from '../../domain/errors.ts';
import { signInThrottled, workQueueFull } from '../../domain/request-refusals.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { Done, done, IdParams } from '../schema.ts';
import { changePassword } from './change-password.ts';
import { activeSession } from './present.ts';
import { ChangePassword, ActiveSession } from './schema.ts';

const tag = 'Authentication';
/** A key must not manage how its user signs in. */
const forSessions = { tag, access: 'authenticated', keys: 'none' } as const;

/** The signed-in user's sessions and password. */
export const sessionRoutes = (deps: Deps): readonly Route[] => [
  route({
    ...forSessions,
    method: 'GET',
    path: '/api/auth/sessions',
    operationId: 'listSessions',
    summary: 'Lista las sesiones abiertas de quien llama',
    responses: { 200: { description: 'La más reciente primero', schema: Type.Array(ActiveSession) } },
    handle: ({ caller: { tenantId, userId, credential }, inTenant }) =>
      inTenant(async (trx) => {
        const sessions = await Session.query(trx)
          .where({ tenantId, userId })
          .whereNull('revokedAt')
          .where('expiresAt', '>', new Date())
          .orderByRaw('coalesce(last_seen_at, created_at) desc, id');
        return sessions.map((session) => activeSession(session, credential.id));
      }),
  }),
  route({
    ...forSessions,
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    operationId: 'deleteSession',
    summary: 'Cierra una sesión propia',
    description: 'Deja de valer en ese momento.',
    params: IdParams,
    responses: { 200: { description: 'Cerrada', schema: Done } },
    refusals: [sessionNotFound()],
    handle: ({ caller, params: { id }, inTenant }) =>
      inTenant(async (trx) => {
        const { tenantId, userId } = caller;
        const session = await Session.query(trx).findOne({ tenantId, userId, id }).whereNull('revokedAt').forUpdate();
        if (!session) throw sessionNotFound();
        await revokeSession(trx, tenantId, id);
        await recordAudit(trx, memberActor(caller), { action: 'logout', entity: 'session', entityId: id });
        return done();
      }),
  }),
  route({
    ...forSessions,
    method: 'POST',
    idempotency: 'none',
    path: '/api/auth/signout-everywhere',
    operationId: 'endAllSessions',
    summary: 'Cierra todas las sesiones de quien llama',
    description: 'También la que llama. Las claves de API siguen valiendo.',
    responses: { 200: { description: 'Cerradas', schema: Done } },
    handle: ({ caller }) =>
      deps.withTenant(caller.tenantId, async (trx) => {
        const { tenantId, userId, credential } = caller;
        await revokeSessionsOf(trx, { tenantId, userId });
        await recordAudit(trx, memberActor(caller), {
          action: 'logout',
          entity: 'session',
          entityId: credential.id,
          metadata: { all: true },
        });
        return { status: 200, body: done(), session: 'clear' };
      }),
  }),
  route({
    ...forSessions,
    method: 'POST',
    idempotency: 'none',
    path: '/api/auth/change-password',
    operationId: 'changePassword',
    summary: 'Cambia la contraseña propia',
    description: 'Cierra las demás sesiones y avisa por correo. Las claves de API siguen valiendo.',
    rate: 'login',
    body: ChangePassword,
    responses: { 200: { description: 'Cambiada', schema: Done } },
    refusals: [signInThrottled(900), workQueueFull(30)],
    handle: async ({ caller, body, ...source }) => {
      await changePassword(deps, caller, body, source);
      return { status: 200, body: done() };
    },
  }),
];
