import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import type { NoAnswer } from '../../domain/http-delivery.ts';
import { untilAborted } from '../timeout.ts';
import {
  AddressBlocked,
  createOwnOrigin,
  createResolve,
  hostOf,
  isPermitted,
  NameNotFound,
  NOT_PUBLIC,
  outboundUrl,
  type OwnOriginConfig,
  OwnOriginReached,
  parseAllowed,
  permittedAddresses,
  type Range,
  type RefusedUrl,
  type Resolve,
} from './addresses.ts';

/** A POST to an address that a user gave. */
export interface OutboundRequest {
  readonly url: string;
  /** Sent byte for byte. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One deadline for resolving, connecting, TLS, headers and body. */
  readonly deadlineMs: number;
}

/** The response. Without one `statusCode` is 0 and `errorCode` says why. */
export interface OutboundAnswer {
  readonly statusCode: number;
  readonly errorCode: NoAnswer | null;
  /** The first 4 KiB, as text that PostgreSQL can store. */
  readonly body: string;
  readonly retryAfter: string | null;
  readonly durationMs: number;
}

/** The only way in which the service calls users' addresses. */
export interface OutboundHttp {
  /**
   * What is wrong with an address that is about to be saved, or undefined. Only an early hint: a name that does not
   * resolve now is accepted, and every call checks again.
   */
  problemOf(url: string): Promise<string | undefined>;
  /** Never throws: each outcome is a result. Follows no redirect, keeps no connection. */
  post(request: OutboundRequest): Promise<OutboundAnswer>;
}

const USER_AGENT = 'quoting-service/1';
/** A name that takes longer to resolve is accepted when it is saved. */
const SAVE_CHECK_MS = 2_000;

/** Loaded with the first call, because most API processes make none: it takes 20 MB and 0.1 s. */
const loadUndici = () => import('undici');

const OWN_ORIGIN = 'no puede apuntar a este mismo servicio';

export function createOutboundHttp({
  OUTBOUND_ALLOW_CIDRS,
  resolve = createResolve(),
  ...config
}: OwnOriginConfig & {
  OUTBOUND_ALLOW_CIDRS: string;
  resolve?: Resolve;
}): OutboundHttp {
  const allowed = parseAllowed(OUTBOUND_ALLOW_CIDRS);
  const own = createOwnOrigin(config);

  /** The parsed URL, or what is wrong with it before its name is resolved. */
  function checked(text: string): URL | RefusedUrl {
    const url = outboundUrl(text, allowed);
    return !('problem' in url) && own.isNamed(url) ? { problem: OWN_ORIGIN } : url;
  }

  async function addressesOf(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    signal.throwIfAborted();
    // Resolving cannot be cancelled.
    const addresses = await untilAborted(permittedAddresses(hostOf(url), { resolve, allowed }), signal);
    if (addresses.some(({ address }) => own.isReached(url, address))) throw new OwnOriginReached();
    return addresses;
  }

  async function send(
    { url: text, body, headers }: OutboundRequest,
    signal: AbortSignal,
  ): Promise<Omit<OutboundAnswer, 'durationMs'>> {
    const url = checked(text);
    if ('problem' in url) throw new AddressBlocked();
    const addresses = await addressesOf(url, signal);
    const { Client, buildConnector } = await loadUndici();
    const client = new Client(url.origin, {
      connect: connectOnlyTo(addresses, { buildConnector, allowed, signal }),
      pipelining: 1,
      allowH2: false,
      // The signal is the only timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const answer = await client.request({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers: { 'user-agent': USER_AGENT, ...headers, 'accept-encoding': 'identity' },
        body,
        signal,
      });
      const retryAfter = answer.headers['retry-after'];
      return {
        statusCode: answer.statusCode,
        errorCode: null,
        body: await readStart(answer.body),
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    } finally {
      // Not awaited: it waits for a handshake that the peer may never finish.
      client.destroy().catch(() => undefined);
    }
  }

  return {
    async problemOf(text) {
      const url = checked(text);
      if ('problem' in url) return url.problem;
      try {
        await addressesOf(url, AbortSignal.timeout(SAVE_CHECK_MS));
        return undefined;
      } catch (error) {
        if (error instanceof OwnOriginReached) return OWN_ORIGIN;
        return error instanceof AddressBlocked ? NOT_PUBLIC : undefined;
      }
    },

    async post(request) {
      const began = performance.now();
      const took = () => Math.round(performance.now() - began);
      try {
        const answer = await send(request, AbortSignal.timeout(request.deadlineMs));
        return { ...answer, durationMs: took() };
      } catch (error) {
        return { statusCode: 0, errorCode: failureOf(error), body: '', retryAfter: null, durationMs: took() };
      }
    },
  };
}

/** The limit for one connection with TLS, within the deadline of the call. */
const CONNECT_MS = 3_000;
/** The CA certificates that Node trusts, parsed once: a context per call would hold more than a megabyte. */
let trust: SecureContext | undefined;

/**
 * Connects to one of the given addresses only: the name is not resolved again, so DNS rebinding has no effect. The
 * socket's peer address is checked after connecting. The signal aborts a pending connection.
 */
export function connectOnlyTo(
  addresses: readonly LookupAddress[],
  {
    buildConnector: build,
    allowed,
    signal,
  }: { buildConnector: typeof buildConnector; allowed: readonly Range[]; signal: AbortSignal },
): buildConnector.connector {
  const lookup: LookupFunction = (_host, options, callback) => {
    const [first] = addresses;
    if (options.all || !first) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  trust ??= createSecureContext();
  const connector = build({ lookup, signal, secureContext: trust, timeout: CONNECT_MS, maxCachedSessions: 0 });
  return (options, callback) => {
    connector(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isPermitted(socket.remoteAddress ?? '', allowed)) return callback(null, socket);
      socket.destroy();
      return callback(new AddressBlocked(), null);
    });
  };
}

/** The most bytes that are read before the socket is destroyed, and that are kept. */
const READ_BYTES = 64 * 1024;
const MAX_STORED_BYTES = 4 * 1024;

/** The start of a response body as storable text. A longer body is truncated; one that breaks off throws. */
async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let read = 0;
  // Leaving the loop early destroys the stream, and the socket with it.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < MAX_STORED_BYTES) chunks.push(chunk);
    read += chunk.length;
    if (read >= READ_BYTES) break;
  }
  return storableText(Buffer.concat(chunks).subarray(0, MAX_STORED_BYTES));
}

/** UTF-8 without U+0000, which PostgreSQL refuses, and without invalid bytes. */
const storableText = (bytes: Uint8Array): string =>
  // stream: a truncated last character is dropped instead of being replaced.
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true }).replace(/[\0\uFFFD]/g, '');

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
