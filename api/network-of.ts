import ipaddr from 'ipaddr.js';

/** Prefix of an IPv4 network: what a provider assigns to one site or rotates through. */
const IPV4_NETWORK = 24;
/** Prefix of an IPv6 network: one subscriber has all of its addresses. */
const IPV6_NETWORK = 64;

/**
 * The key of an address for rate limits: the address for IPv4, also if mapped into IPv6; the /64 network for IPv6,
 * because a subscriber could use a new address for each call.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_NETWORK}`).toString()}/${IPV6_NETWORK}`;
}

/**
 * The network of a client: /24 for IPv4, /64 for IPv6. Key for fair scheduling while the tenant is unknown, for
 * counting failed sign-ins, and for the known networks of an account.
 */
export function clientNetworkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv4)) return networkOf(ip);
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${IPV4_NETWORK}`).toString()}/${IPV4_NETWORK}`;
}
