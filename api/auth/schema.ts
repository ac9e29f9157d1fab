import { type Static, Type } from 'typebox';
import { PLANS } from '../../domain/plans.ts';
import { ROLES } from '../../domain/permissions.ts';
import { accountEmail, closed, id, line, nullable, oneOf, timestamp } from '../schema.ts';

/** A new password. At a sign-in there is no such rule: whoever has an older one must still get in. */
const password = () =>
  Type.String({
    minLength: 8,
    maxLength: 128,
    refuseCommon: true,
    description:
      'Se rechazan las contraseñas comunes (las de `@zxcvbn-ts/language-common`), sin distinguir mayúsculas ni acentos.',
    examples: ['una frase larga'],
  });

export const Register = closed({
  businessName: line(100, { minLength: 2 }),
  name: line(100),
  email: accountEmail(),
  password: password(),
});
export type Register = Static<typeof Register>;

// No format here: a wrong address is a wrong login, not a wrong request.
export const Credentials = closed({
  email: Type.String({ clean: 'account', maxLength: 254 }),
  password: Type.String({ maxLength: 128 }),
});
export type Credentials = Static<typeof Credentials>;

// No format: an address that is none gets the same answer as any other.
export const ForgotPassword = closed({
  email: Type.String({ clean: 'account', maxLength: 254, examples: ['ana@example.com'] }),
});

const token = () =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'del enlace del correo; vale una vez',
    examples: ['Yk3v9QmT2nXw7RbL5cHs8JdF1gPzA6eKuV4oNiM0tWE'],
  });

export const ResetPassword = closed({ token: token(), password: password() });
export type ResetPassword = Static<typeof ResetPassword>;

export const AcceptInvitation = closed({
  token: token(),
  name: Type.Optional(line(100, { description: 'sin él, el de la invitación', examples: ['Carlos Ruiz'] })),
  password: password(),
});
export type AcceptInvitation = Static<typeof AcceptInvitation>;

export const SessionBody = Type.Object({
  user: Type.Object({
    id: id(),
    email: Type.String(),
    name: Type.String(),
    role: oneOf(ROLES),
    tenantId: id(),
    plan: oneOf(PLANS),
  }),
  expires: nullable(timestamp()),
});
export type SessionBody = Static<typeof SessionBody>;
