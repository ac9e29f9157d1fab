import { refusedValues, ServiceError } from './errors.ts';
import type { ReasonOf } from './refusal-reasons.ts';

/** Refusals of a request as such: its form, its credential and its rate. */

/** Members or parameters that the route does not declare, for a caller who wants a refusal. */
export const unknownMember = (paths: readonly string[]) =>
  refusedValues(
    'unknown_member',
    paths.map((path) => ({ path, message: 'miembro desconocido' })),
  );
export const idempotencyKeyInvalid = () =>
  refusedValues('idempotency_key_invalid', [
    { path: 'Idempotency-Key', message: 'debe tener de 1 a 255 caracteres visibles' },
  ]);
export const jsonTooDeep = (levels: number) =>
  refusedValues('json_too_deep', [{ path: '', message: `debe tener como máximo ${levels} niveles` }]);
export const hostNotAllowed = () => new ServiceError('host_not_allowed', 'Host no permitido');
export const invalidJson = () => new ServiceError('invalid_json', 'JSON inválido');

const unauthenticated = (reason: ReasonOf<'unauthenticated'>) => () => new ServiceError(reason, 'No autorizado');
export const credentialsMissing = unauthenticated('credentials_missing');
/** For a session where only keys are accepted. */
export const apiKeyRequired = unauthenticated('api_key_required');
export const apiKeyInvalid = unauthenticated('api_key_invalid');
export const sessionInvalid = unauthenticated('session_invalid');
/** One refusal for an unknown address, a wrong password and a deactivated user, so that it tells nothing about accounts. */
export const signInFailed = unauthenticated('sign_in_failed');
/** The password was right, and the code or recovery code was not. */
export const twoFactorCodeWrong = unauthenticated('two_factor_code_wrong');

const tooLarge = (reason: ReasonOf<'too_large'>) => () => new ServiceError(reason, 'Solicitud demasiado grande');
export const bodyTooLarge = tooLarge('body_too_large');
export const urlTooLong = tooLarge('url_too_long');
export const headersTooLarge = tooLarge('headers_too_large');
export const fileTooLarge = tooLarge('file_too_large');
/** A form, whose size is checked before it is read. */
export const contentLengthMissing = tooLarge('content_length_missing');
const unsupportedMediaType = (reason: ReasonOf<'unsupported_media_type'>) => () =>
  new ServiceError(reason, 'Tipo de contenido no admitido');
export const contentTypeNotSupported = unsupportedMediaType('content_type_not_supported');
export const charsetNotSupported = unsupportedMediaType('charset_not_supported');
export const contentEncodingNotSupported = unsupportedMediaType('content_encoding_not_supported');
const rateLimited = (reason: ReasonOf<'rate_limited'>) => (retryAfterSeconds: number) =>
  new ServiceError(reason, 'Demasiadas solicitudes', { retryAfterSeconds });
export const tooManyRequests = rateLimited('rate_limit_reached');
export const signInThrottled = rateLimited('sign_in_throttled');
/** Too many wrong codes of the second factor. */
export const twoFactorLocked = rateLimited('two_factor_locked');
/** Mails that confirm the address of a registration. */
export const verificationLimitReached = rateLimited('verification_limit_reached');
export const mailQuotaReached = rateLimited('mail_quota_reached');
/** Messages about one quote in a day. */
export const messageLimitReached = rateLimited('message_limit_reached');
/** Exports and pipelines that the business reads at the same time. */
export const streamLimitReached = rateLimited('stream_limit_reached');
/** Documents, images or passwords of one caller that wait for a free processor. */
export const workQueueFull = rateLimited('work_queue_full');
