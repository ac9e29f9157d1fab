import ipaddr from 'ipaddr.js';

/** Bits of an IPv4 address that tell its network: what a provider gives to one site or rotates through. */
const IPV4_NETWORK = 24;
/** Bits of an IPv6 address that tell its network: who has one address of it has all. */
const IPV6_NETWORK = 64;

/** Bits of an IPv4 address that shared resources are scheduled by: a provider's customer may hold a range. */
const IPV4_RANGE = 24;

/** The key of work for a caller whose tenant is not known yet: the /24 of an IPv4 address, the /64 of an IPv6 one. */
export function queueKeyOf(ip: string): string {
  const network = networkOf(ip);
  if (!ipaddr.IPv4.isValid(network)) return network;
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${network}/${IPV4_RANGE}`).toString()}/${IPV4_RANGE}`;
}

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

/** The network that failed sign-ins count against, and that an account knows: /24 for IPv4, /64 for IPv6. */
export function signInNetworkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv4)) return networkOf(ip);
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${IPV4_NETWORK}`).toString()}/${IPV4_NETWORK}`;
}
