import ipaddr from 'ipaddr.js';

/** Which addresses may be called for a user. Pure: text in, verdict out. What cannot be parsed is blocked. */

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = readonly [Address, number];

/**
 * Metadata and host services of clouds, which no setting opens: link-local IPv4 and IPv6 (every cloud), then Azure,
 * Alibaba, Oracle, and the IPv6 ones of Amazon, Google and Scaleway.
 */
const NEVER = [
  '169.254.0.0/16', 'fe80::/10', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32', 'fd00:ec2::254/128',
  'fd20:ce::254/128', 'fd00:42::42/128',
].map(range); // prettier-ignore

/** Not the public internet (IANA special-purpose registries); 168.63.129.16 is Azure's, see above. */
const BLOCKED = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
  '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24',
  '224.0.0.0/4', '240.0.0.0/4',
  '::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '100:0:0:1::/64', '2001::/23', '2001:db8::/32', '2002::/16',
  '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8',
].map(range); // prettier-ignore

const TEREDO = range('2001::/32');

/** IPv6 ranges that embed IPv4 addresses, and the bytes of those. */
const CARRIERS = (
  [
    ['::/96', [12, 13, 14, 15]],
    ['::ffff:0:0:0/96', [12, 13, 14, 15]],
    ['64:ff9b::/96', [12, 13, 14, 15]],
    // A network's own NAT64 may use a prefix of 48, 64 or 96 bits, without byte 8 (RFC 6052, section 2.2).
    ['64:ff9b:1::/48', [6, 7, 9, 10]],
    ['64:ff9b:1::/48', [9, 10, 11, 12]],
    ['64:ff9b:1::/48', [12, 13, 14, 15]],
    ['2002::/16', [2, 3, 4, 5]],
    // Teredo: the server's address as it is, the client's with every bit inverted (RFC 4380, section 4).
    ['2001::/32', [4, 5, 6, 7]],
    ['2001::/32', [12, 13, 14, 15]],
  ] as const
).map(([cidr, bytes]) => ({ range: range(cidr), bytes }));

function range(cidr: string): Range {
  const [address, bits] = ipaddr.parseCIDR(cidr);
  return [address, bits];
}

/** OUTBOUND_ALLOW_CIDRS: comma-separated ranges to open. Throws on an invalid one. */
export function parseAllowed(cidrs: string): readonly Range[] {
  return cidrs
    .split(',')
    .map((cidr) => cidr.trim())
    .filter((cidr) => cidr !== '')
    .map((cidr) => {
      if (!ipaddr.isValidCIDR(cidr)) throw new TypeError('OUTBOUND_ALLOW_CIDRS contains an invalid CIDR range');
      return range(cidr);
    });
}

/** Whether this address, as the resolver or the socket gives it, may be connected to. */
export function isPermitted(text: string, allowed: readonly Range[] = []): boolean {
  const address = parse(text);
  if (!address) return false;
  if ([address, ...embeddedIn(address)].some((each) => lies(each, NEVER))) return false;
  if (lies(address, allowed)) return true;
  return !lies(address, BLOCKED);
}

const lies = (address: Address, ranges: readonly Range[]): boolean =>
  ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));

/**
 * Four decimal parts or a plain IPv6 address. A mapped address becomes the IPv4 address that the socket would reach.
 */
function parse(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // A zone names an interface of this machine, which users may not choose.
  const plain = withoutDots(text);
  if (text.includes('%') || !ipaddr.IPv6.isValid(plain)) return undefined;
  const address = ipaddr.IPv6.parse(plain);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** `::7f00:1` for `::127.0.0.1`: the parser takes the dotted form for a mapped address, whatever precedes it. */
function withoutDots(text: string): string {
  const [, head, tail = ''] = /^(.*:)([\d.]+)$/.exec(text) ?? [];
  if (head === undefined || !ipaddr.IPv4.isValidFourPartDecimal(tail)) return text;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(tail).octets;
  return `${head}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** The IPv4 addresses that this one may lead to. */
function embeddedIn(address: Address): readonly Address[] {
  const own = address.toByteArray();
  return CARRIERS.filter((carrier) => lies(address, [carrier.range])).map(({ bytes }) => {
    const isInverted = bytes[0] === 12 && lies(address, [TEREDO]);
    return new ipaddr.IPv4(bytes.map((at) => (own[at] ?? 0) ^ (isInverted ? 0xff : 0)));
  });
}
