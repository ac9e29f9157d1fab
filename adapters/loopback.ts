import ipaddr from 'ipaddr.js';

/** Whether a host, as URLs and settings spell it, is this machine by every resolver: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  if (plain.toLowerCase() === 'localhost') return true;
  const isLiteral = ipaddr.IPv4.isValidFourPartDecimal(plain) || ipaddr.IPv6.isValid(plain);
  return isLiteral && ipaddr.process(plain).range() === 'loopback';
}
