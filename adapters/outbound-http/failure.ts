import type { NoAnswer } from '../../domain/http-delivery.ts';

/** The name does not resolve. */
export class NameNotFound extends Error {
  override readonly name = 'NameNotFound';
}

/** The address is forbidden. The message does not reveal it. */
export class AddressBlocked extends Error {
  override readonly name = 'AddressBlocked';
}

/** The address is this service's own. */
export class OwnOriginReached extends AddressBlocked {}

const CODES: Readonly<Record<string, NoAnswer>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  HOSTNAME_MISMATCH: 'tls',
};

/** The reason for a missing response, from whatever was thrown; only these words are stored. */
export function failureOf(error: unknown): NoAnswer {
  if (error instanceof AddressBlocked) return 'blocked_address';
  if (error instanceof NameNotFound) return 'dns';
  if (!(error instanceof Error)) return 'unreachable';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  // Several addresses were tried: the first failure is reported.
  if (error instanceof AggregateError && error.errors.length > 0) return failureOf(error.errors[0]);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (CODES[code]) return CODES[code];
  if (/^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|UNABLE_TO_)/.test(code)) return 'tls';
  if (error.name === 'HTTPParserError') return 'protocol';
  return error.cause === undefined ? 'unreachable' : failureOf(error.cause);
}
