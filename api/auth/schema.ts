import { type Static, Type } from 'typebox';
import { PLANS } from '../../domain/plans.ts';
import { ROLES } from '../../domain/permissions.ts';
import { named, namedInput, accountEmail, id, line, nullable, oneOf, timestamp } from '../schema.ts';

/** A new password. Sign-in does not check these rules, so that older passwords keep working. */
const password = () =>
  Type.String({
    minLength: 8,
    maxLength: 128,
    refuseCommon: true,
    description:
      'Se rechazan las contraseñas comunes (las de `@zxcvbn-ts/language-common`), sin distinguir mayúsculas ni acentos.',
    examples: ['una frase larga'],
  });

export const Register = namedInput('RegistrationInput', {
  businessName: line(100, { minLength: 2 }),
  name: line(100),
  email: accountEmail(),
  password: password(),
});
export type Register = Static<typeof Register>;

// No format: a malformed address is refused as a wrong login, not as a malformed request.
export const Credentials = namedInput('CredentialsInput', {
  email: Type.String({ clean: 'account', maxLength: 254 }),
  password: Type.String({ maxLength: 128 }),
});
export type Credentials = Static<typeof Credentials>;

// No format: a malformed address gets the same response as any other.
export const ForgotPassword = namedInput('ForgotPasswordInput', {
  email: Type.String({ clean: 'account', maxLength: 254, examples: ['ana@example.com'] }),
});

const token = () =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'del enlace del correo; vale una vez',
    examples: ['Yk3v9QmT2nXw7RbL5cHs8JdF1gPzA6eKuV4oNiM0tWE'],
  });

export const ResetPassword = namedInput('ResetPasswordInput', { token: token(), password: password() });
export type ResetPassword = Static<typeof ResetPassword>;

export const AcceptInvitation = namedInput('InvitationInput', {
  token: token(),
  name: Type.Optional(line(100, { description: 'sin él, el de la invitación', examples: ['Carlos Ruiz'] })),
  password: password(),
});
export type AcceptInvitation = Static<typeof AcceptInvitation>;

export const SessionBody = named('Session', {
  user: named('SessionUser', {
    id: id(),
    email: Type.String(),
    name: Type.String(),
    role: oneOf('Role', ROLES),
    tenantId: id(),
    plan: oneOf('Plan', PLANS),
  }),
  expires: nullable(timestamp()),
});
export type SessionBody = Static<typeof SessionBody>;
