import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { AddressBlocked } from './failure.ts';
import { isPermitted, type Range } from './guard.ts';

/** How long one connection, with TLS, may take within the deadline of the call. */
const CONNECT_MS = 3_000;
/** The authorities that Node trusts, read once: a context of its own for each call would hold a megabyte and more. */
const TRUST = createSecureContext();

/**
 * Connects to one of those addresses and to nothing else: the name is not resolved again, so a resolver that changes
 * its answer gains nothing. The socket is asked in the end where it went. The signal ends a connection that is still
 * being made.
 */
export function connectOnlyTo(
  addresses: readonly LookupAddress[],
  { allowed, signal }: { allowed: readonly Range[]; signal: AbortSignal },
): buildConnector.connector {
  const lookup: LookupFunction = (_host, options, callback) => {
    const [first] = addresses;
    if (options.all || !first) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  const connector = buildConnector({ lookup, signal, secureContext: TRUST, timeout: CONNECT_MS, maxCachedSessions: 0 });
  return (options, callback) => {
    connector(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isPermitted(socket.remoteAddress ?? '', allowed)) return callback(null, socket);
      socket.destroy();
      return callback(new AddressBlocked(), null);
    });
  };
}
