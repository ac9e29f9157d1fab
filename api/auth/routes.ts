import { Session } from '../../db/models/session.ts';
import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { revokeSession } from '../../db/writes/sessions.ts';
import { memberActor } from '../../domain/caller.ts';
import { emailTaken, linkNotValid, registrationClosed, twoFactorRequired } from '../../domain/errors.ts';
import {
  signInFailed,
  signInThrottled,
  twoFactorCodeWrong,
  twoFactorLocked,
  verificationLimitReached,
  workQueueFull,
} from '../../domain/request-refusals.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { Done, done } from '../schema.ts';
import { forgotPassword } from './forgot-password.ts';
import { sessionBody } from './present.ts';
import { register } from './register.ts';
import {
  AcceptInvitation,
  Credentials,
  ForgotPassword,
  Register,
  ResetPassword,
  SessionBody,
  VerifyEmail,
} from './schema.ts';
import { signIn } from './sign-in.ts';
import { acceptInvitation, resetPassword } from './use-link.ts';
import { resendVerification, verifyEmail } from './verify-email.ts';

/** Fits an address, a password and a name, even if every character is escaped. */
const MAX_BODY_BYTES = 8 * 1024;

const tag = 'Authentication';
/** Of the routes that take a password or an address. */
const publicForm = { tag, access: 'public', rate: 'login', idempotency: 'none', maxBodyBytes: MAX_BODY_BYTES } as const;

export const authRoutes = (deps: Deps): readonly Route[] => [
  route({
    ...publicForm,
    method: 'POST',
    path: '/api/auth/register',
    operationId: 'registerBusiness',
    summary: 'Registra un negocio y a su dueño',
    body: Register,
    responses: { 201: { description: 'Sesión iniciada; la cookie va en Set-Cookie', schema: SessionBody } },
    refusals: [emailTaken(), registrationClosed(), workQueueFull(30)],
    handle: ({ body, requestId, ip, userAgent, signal }) => register(deps, body, { requestId, ip, userAgent, signal }),
  }),
  route({
    ...publicForm,
    method: 'POST',
    path: '/api/auth/callback/credentials',
    operationId: 'createSession',
    summary: 'Inicia sesión con correo y contraseña',
    body: Credentials,
    responses: { 200: { description: 'Sesión iniciada; la cookie va en Set-Cookie', schema: SessionBody } },
    refusals: [
      signInFailed(),
      signInThrottled(900),
      twoFactorRequired(),
      twoFactorCodeWrong(),
      twoFactorLocked(900),
      workQueueFull(30),
    ],
    handle: ({ body, requestId, ip, userAgent, signal }) => signIn(deps, body, { requestId, ip, userAgent, signal }),
  }),
  route({
    method: 'GET',
    path: '/api/auth/session',
    operationId: 'getSession',
    tag,
    summary: 'La sesión en curso',
    description: 'Con una clave de API, `expires` es el vencimiento de la clave, o nulo.',
    access: 'authenticated',
    keys: 'full',
    responses: { 200: { description: 'Quién llama', schema: SessionBody } },
    handle: ({ caller: { tenantId, userId, plan, credential }, inTenant }) =>
      inTenant(async (trx) => {
        const user = await User.query(trx).findOne({ tenantId, id: userId }).throwIfNotFound();
        const { expiresAt: expires } =
          credential.kind === 'key'
            ? credential
            : await Session.query(trx).findOne({ tenantId, id: credential.id }).throwIfNotFound();
        return sessionBody(user, plan, expires);
      }),
  }),
  route({
    method: 'POST',
    path: '/api/auth/signout',
    operationId: 'endSession',
    tag,
    summary: 'Cierra la sesión',
    description: 'La sesión deja de valer en ese momento. Una clave de API no se revoca así.',
    access: 'authenticated',
    idempotency: 'none',
    responses: { 200: { description: 'Cerrada', schema: Done } },
    handle: ({ caller }) =>
      deps.withTenant(caller.tenantId, async (trx) => {
        const { kind, id } = caller.credential;
        if (kind === 'session') {
          await revokeSession(trx, caller.tenantId, id);
          await recordAudit(trx, memberActor(caller), { action: 'logout', entity: 'session', entityId: id });
        }
        return { status: 200, body: done(), session: 'clear' };
      }),
  }),
  route({
    ...publicForm,
    method: 'POST',
    path: '/api/auth/forgot-password',
    operationId: 'requestPasswordReset',
    summary: 'Pide un enlace para cambiar la contraseña',
    description:
      'Responde siempre lo mismo, exista la cuenta o no. El enlace llega por correo, vale una vez y durante una hora.',
    body: ForgotPassword,
    responses: { 200: { description: 'Recibido', schema: Done } },
    handle: async ({ body, requestId }) => {
      await forgotPassword(deps, body, requestId);
      return { status: 200, body: done() };
    },
  }),
  route({
    ...publicForm,
    method: 'POST',
    path: '/api/auth/reset-password',
    operationId: 'resetPassword',
    summary: 'Cambia la contraseña con el enlace del correo',
    description:
      'Cierra todas las sesiones de la cuenta y no abre ninguna; la verificación en dos pasos queda como estaba. Las claves de API siguen valiendo, salvo con `revokeKeys`.',
    body: ResetPassword,
    responses: { 200: { description: 'Cambiada; ahora inicie sesión', schema: Done } },
    refusals: [linkNotValid(), emailTaken(), workQueueFull(30)],
    handle: ({ body, requestId, signal }) => resetPassword(deps, body, { requestId, signal }),
  }),
  route({
    ...publicForm,
    method: 'POST',
    path: '/api/auth/accept-invitation',
    operationId: 'acceptInvitation',
    summary: 'Acepta una invitación e inicia sesión',
    description: 'El enlace llega por correo, vale una vez y durante siete días.',
    body: AcceptInvitation,
    responses: { 200: { description: 'Sesión iniciada; la cookie va en Set-Cookie', schema: SessionBody } },
    refusals: [linkNotValid(), emailTaken(), workQueueFull(30)],
    handle: ({ body, requestId, ip, userAgent, signal }) =>
      acceptInvitation(deps, body, { requestId, ip, userAgent, signal }),
  }),
  route({
    ...publicForm,
    method: 'POST',
    path: '/api/auth/verify-email',
    operationId: 'verifyEmail',
    summary: 'Confirma el correo con el enlace recibido',
    description: 'El enlace vale una vez y durante un día; solo el más reciente. No abre una sesión.',
    body: VerifyEmail,
    responses: { 200: { description: 'Confirmado', schema: Done } },
    refusals: [linkNotValid(), emailTaken()],
    handle: async ({ body, requestId }) => {
      await verifyEmail(deps, body.token, requestId);
      return { status: 200, body: done() };
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/verify-email/resend',
    operationId: 'resendVerification',
    tag,
    summary: 'Vuelve a enviar el enlace que confirma el correo',
    description: 'Hasta tres veces por hora; a un correo ya confirmado no se envía nada.',
    access: 'authenticated',
    keys: 'none',
    rate: 'login',
    idempotency: 'none',
    responses: { 200: { description: 'Enviado', schema: Done } },
    refusals: [verificationLimitReached(3600)],
    handle: async ({ caller }) => {
      await resendVerification(deps, caller);
      return { status: 200, body: done() };
    },
  }),
];
