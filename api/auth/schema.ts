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

const code = () => Type.String({ maxLength: 20, description: 'de la aplicación de códigos', examples: ['492039'] });
const recoveryCode = () =>
  Type.String({ maxLength: 40, description: 'en lugar del código; vale una vez', examples: ['ABCD-EFGH-IJKL-MNOP'] });

// No format: a malformed address is refused as a wrong login, not as a malformed request.
export const Credentials = namedInput('CredentialsInput', {
  email: Type.String({ clean: 'account', maxLength: 254 }),
  password: Type.String({ maxLength: 128 }),
  code: Type.Optional(code()),
  recoveryCode: Type.Optional(recoveryCode()),
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

export const ResetPassword = namedInput('ResetPasswordInput', {
  token: token(),
  password: password(),
  revokeKeys: Type.Optional(Type.Boolean({ default: false, description: 'revocar también las claves de API propias' })),
});
export type ResetPassword = Static<typeof ResetPassword>;

export const VerifyEmail = namedInput('VerificationInput', { token: token() });

export const ChangePassword = namedInput('ChangePasswordInput', {
  currentPassword: Type.String({ maxLength: 128 }),
  newPassword: password(),
});
export type ChangePassword = Static<typeof ChangePassword>;

export const AcceptInvitation = namedInput('InvitationInput', {
  token: token(),
  name: Type.Optional(line(100, { description: 'sin él, el de la invitación', examples: ['Carlos Ruiz'] })),
  password: password(),
});
export type AcceptInvitation = Static<typeof AcceptInvitation>;

export const Password = namedInput('PasswordInput', { password: Type.String({ maxLength: 128 }) });
export const PasswordAndCode = namedInput('TwoFactorInput', {
  password: Type.String({ maxLength: 128 }),
  code: code(),
});
export const DisableTwoFactor = namedInput('DisableTwoFactorInput', {
  password: Type.String({ maxLength: 128 }),
  code: Type.Optional(code()),
  recoveryCode: Type.Optional(recoveryCode()),
});

export const TwoFactorState = named('TwoFactorState', {
  enabled: Type.Boolean(),
  recoveryCodesLeft: Type.Integer({ examples: [10] }),
});

export const TwoFactorSecret = named('TwoFactorSecret', {
  secret: Type.String({ description: 'en base 32', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
  otpauthUrl: Type.String({
    description: 'para un código QR',
    examples: ['otpauth://totp/Muebles:ana%40example.com?issuer=Muebles&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  }),
});
export const RecoveryCodes = named('RecoveryCodes', {
  recoveryCodes: Type.Array(Type.String({ examples: ['ABCD-EFGH-IJKL-MNOP'] })),
});

export const ActiveSession = named('ActiveSession', {
  id: id(),
  createdAt: timestamp(),
  lastSeenAt: timestamp({ description: 'Se anota a lo más cada cinco minutos.' }),
  ip: nullable(Type.String({ examples: ['203.0.113.7'] })),
  userAgent: nullable(Type.String({ examples: ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6)'] })),
  isCurrent: Type.Boolean(),
});

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
