import { invalidInput, twoFactorEnabled, twoFactorNotEnabled, twoFactorNotSetUp } from '../../domain/errors.ts';
import { signInThrottled, twoFactorLocked, workQueueFull } from '../../domain/request-refusals.ts';
import { readSecondFactor } from '../../db/writes/second-factor.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { Done } from '../schema.ts';
import {
  DisableTwoFactor,
  PasswordAndCode,
  Password,
  RecoveryCodes,
  TwoFactorSecret,
  TwoFactorState,
} from './schema.ts';
import { disableTwoFactor, enableTwoFactor, renewRecoveryCodes, setUpTwoFactor } from './two-factor.ts';

const form = {
  tag: 'Authentication',
  method: 'POST',
  access: 'authenticated',
  keys: 'none',
  idempotency: 'none',
  rate: 'login',
} as const;

/** Of a wrong password too often, and of a busy server. */
const passwordRefusals = [signInThrottled(900), workQueueFull(30)];

/** The second factor of the signed-in user. */
export const twoFactorRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    tag: 'Authentication',
    access: 'authenticated',
    keys: 'none',
    path: '/api/auth/two-factor',
    operationId: 'getTwoFactor',
    summary: 'Si la verificación en dos pasos está activa',
    responses: { 200: { description: 'El estado', schema: TwoFactorState } },
    handle: ({ caller, inTenant }) => inTenant((trx) => readSecondFactor(trx, caller.userId)),
  }),
  route({
    ...form,
    path: '/api/auth/two-factor/setup',
    operationId: 'setUpTwoFactor',
    summary: 'Prepara la verificación en dos pasos',
    description: 'El secreto cuenta desde que `enable` recibe un código suyo. Otra preparación lo reemplaza.',
    body: Password,
    responses: { 200: { description: 'Para la aplicación de códigos', schema: TwoFactorSecret } },
    refusals: [twoFactorEnabled(), ...passwordRefusals],
    handle: async ({ caller, body, ...source }) => ({
      status: 200,
      body: await setUpTwoFactor(deps, caller, body, source),
    }),
  }),
  route({
    ...form,
    path: '/api/auth/two-factor/enable',
    operationId: 'enableTwoFactor',
    summary: 'Activa la verificación en dos pasos',
    description: 'Cierra las demás sesiones. Los códigos de recuperación solo se muestran en esta respuesta.',
    body: PasswordAndCode,
    responses: { 200: { description: 'Activada', schema: RecoveryCodes } },
    refusals: [twoFactorEnabled(), twoFactorNotSetUp(), twoFactorLocked(900), ...passwordRefusals],
    handle: async ({ caller, body, ...source }) => ({
      status: 200,
      body: await enableTwoFactor(deps, caller, body, source),
    }),
  }),
  route({
    ...form,
    path: '/api/auth/two-factor/recovery-codes',
    operationId: 'renewRecoveryCodes',
    summary: 'Renueva los códigos de recuperación',
    description: 'Los anteriores dejan de valer.',
    body: PasswordAndCode,
    responses: { 200: { description: 'Los nuevos', schema: RecoveryCodes } },
    refusals: [twoFactorNotEnabled(), twoFactorLocked(900), ...passwordRefusals],
    handle: async ({ caller, body, ...source }) => ({
      status: 200,
      body: await renewRecoveryCodes(deps, caller, body, source),
    }),
  }),
  route({
    ...form,
    path: '/api/auth/two-factor/disable',
    operationId: 'disableTwoFactor',
    summary: 'Desactiva la verificación en dos pasos',
    description: 'Con un código o un código de recuperación. Avisa por correo.',
    body: DisableTwoFactor,
    responses: { 200: { description: 'Desactivada', schema: Done } },
    refusals: [twoFactorNotEnabled(), twoFactorLocked(900), ...passwordRefusals],
    handle: async ({ caller, body, ...source }) => {
      if ((body.code === undefined) === (body.recoveryCode === undefined))
        throw invalidInput([{ path: 'code', message: 'envíe code o recoveryCode' }]);
      return { status: 200, body: await disableTwoFactor(deps, caller, body, source) };
    },
  }),
];
