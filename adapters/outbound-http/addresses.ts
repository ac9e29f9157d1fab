import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { AddressBlocked, NameNotFound } from './failure.ts';
import { isPermitted, type Range } from './guard.ts';

/** Every address of a name. Tests replace it, because names must resolve to what no real name does. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The host's addresses. One forbidden address refuses the call, whatever the others are. */
export async function permittedAddresses(
  host: string,
  { resolve, allowed }: { resolve: Resolve; allowed: readonly Range[] },
): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await resolveOrThrow(host, resolve);
  if (!addresses.every(({ address }) => isPermitted(address, allowed))) throw new AddressBlocked();
  return addresses;
}

async function resolveOrThrow(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new NameNotFound('the name was not resolved', { cause });
  });
  if (addresses.length === 0) throw new NameNotFound('the name has no address');
  return addresses;
}
