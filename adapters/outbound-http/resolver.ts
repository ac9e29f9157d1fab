import { Resolver } from 'node:dns/promises';
import type { Resolve } from './addresses.ts';

/** Timeout of one query to a name server; the second and last try has twice as long. */
const TIMEOUT_MS = 1_000;
const TRIES = 2;

const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;

/**
 * Queries the system's name servers over its own sockets. `dns.lookup` would block a libuv thread for as long as a
 * silent name server lets it wait, and four such names would stop all file access, hashing and image work. `/etc/hosts`
 * and search domains are not read; `localhost` is this machine (RFC 6761).
 *
 * @param servers instead of the system's
 */
export function createResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);

  return async (hostname) => {
    if (LOCALHOST.test(hostname)) return [of(4)('127.0.0.1'), of(6)('::1')];
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [...found(v4).map(of(4)), ...found(v6).map(of(6))];
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}

const of = (family: 4 | 6) => (address: string) => ({ address, family });

const found = (answer: PromiseSettledResult<string[]>): string[] => (answer.status === 'fulfilled' ? answer.value : []);
