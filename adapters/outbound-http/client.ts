import type { LookupAddress } from 'node:dns';
import type { NoAnswer } from '../../domain/http-delivery.ts';
import { untilAborted } from '../timeout.ts';
import { permittedAddresses, type Resolve } from './addresses.ts';
import { AddressBlocked, failureOf, OwnOriginReached } from './failure.ts';
import { parseAllowed } from './guard.ts';
import { createOwnOrigin, type OwnOriginConfig } from './own-origin.ts';
import { createResolve } from './resolver.ts';
import { readStart } from './response-text.ts';
import { hostOf, NOT_PUBLIC, outboundUrl, type RefusedUrl } from './url.ts';

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
async function loadConnections() {
  const [{ Client }, { connectOnlyTo }] = await Promise.all([import('undici'), import('./connect.ts')]);
  return { Client, connectOnlyTo };
}

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
    const { Client, connectOnlyTo } = await loadConnections();
    const client = new Client(url.origin, {
      connect: connectOnlyTo(addresses, { allowed, signal }),
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
