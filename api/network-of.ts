import ipaddr from 'ipaddr.js';

/** Bits of an IPv4 address that tell its network: what a provider gives to one site or rotates through. */
const IPV4_NETWORK = 24;
/** Bits of an IPv6 address that tell its network: who has one address of it has all. */
const IPV6_NETWORK = 64;

/**
 * Whom an address counts as where callers are counted: itself for IPv4, also when it is mapped into IPv6; its /64 network
 * for IPv6, since every household has one and could come from a new address for each call.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_NETWORK}`).toString()}/${IPV6_NETWORK}`;
}

/**
 * The network of a client: /24 for IPv4, /64 for IPv6. Work is scheduled by it while the tenant is not known, failed
 * sign-ins count against it, and an account knows those that it signed in from.
 */
export function clientNetworkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv4)) return networkOf(ip);
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${IPV4_NETWORK}`).toString()}/${IPV4_NETWORK}`;
}
