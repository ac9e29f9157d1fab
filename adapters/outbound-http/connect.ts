import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { AddressBlocked } from './failure.ts';
import { isPermitted, type Range } from './guard.ts';

/** The limit for one connection with TLS, within the deadline of the call. */
const CONNECT_MS = 3_000;
/** The CA certificates that Node trusts, parsed once: a context per call would hold more than a megabyte. */
const TRUST = createSecureContext();

/**
 * Connects to one of the given addresses only: the name is not resolved again, so DNS rebinding has no effect. The
 * socket's peer address is checked after connecting. The signal aborts a pending connection.
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
