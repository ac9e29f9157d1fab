import { Type } from 'typebox';
import { Session } from '../../db/models/session.ts';
import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { revokeSession } from '../../db/writes/sessions.ts';
import { memberActor } from '../../domain/caller.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { sessionBody } from './present.ts';
import { register } from './register.ts';
import { Credentials, Register, SessionBody } from './schema.ts';
import { signIn } from './sign-in.ts';

export const authRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/api/auth/register',
    tag: 'Acceso',
    summary: 'Registra un negocio y a su dueño',
    access: 'public',
    rate: 'login',
    idempotency: 'none',
    body: Register,
    responses: { 201: { description: 'Sesión iniciada; la cookie va en Set-Cookie', schema: SessionBody } },
    handle: ({ body, requestId }) => register(deps, body, requestId),
  }),
  route({
    method: 'POST',
    path: '/api/auth/callback/credentials',
    tag: 'Acceso',
    summary: 'Inicia sesión con correo y contraseña',
    access: 'public',
    rate: 'login',
    idempotency: 'none',
    body: Credentials,
    responses: { 200: { description: 'Sesión iniciada; la cookie va en Set-Cookie', schema: SessionBody } },
    handle: ({ body, requestId }) => signIn(deps, body, requestId),
  }),
  route({
    method: 'GET',
    path: '/api/auth/session',
    tag: 'Acceso',
    summary: 'La sesión en curso',
    description: 'Con una clave de API, `expires` es nulo.',
    access: 'authenticated',
    rate: 'default',
    responses: { 200: { description: 'Quién llama', schema: SessionBody } },
    handle: ({ caller: { tenantId, userId, plan, credential } }) =>
      deps.withTenant(tenantId, async (trx) => {
        const user = await User.query(trx).findOne({ tenantId, id: userId }).throwIfNotFound();
        const session =
          credential.kind === 'session' && (await Session.query(trx).findOne({ tenantId, id: credential.id }));
        return { status: 200, body: sessionBody(user, plan, session ? session.expiresAt : null) };
      }),
  }),
  route({
    method: 'POST',
    path: '/api/auth/signout',
    tag: 'Acceso',
    summary: 'Cierra la sesión',
    description: 'La sesión deja de valer en ese momento. Una clave de API no se revoca así.',
    access: 'authenticated',
    rate: 'default',
    idempotency: 'none',
    responses: { 200: { description: 'Cerrada', schema: Type.Object({ ok: Type.Literal(true) }) } },
    handle: ({ caller }) =>
      deps.withTenant(caller.tenantId, async (trx) => {
        const { kind, id } = caller.credential;
        if (kind === 'session') {
          await revokeSession(trx, caller.tenantId, id);
          await recordAudit(trx, memberActor(caller), { action: 'logout', entity: 'session', entityId: id });
        }
        return { status: 200, body: { ok: true }, session: 'clear' };
      }),
  }),
];
