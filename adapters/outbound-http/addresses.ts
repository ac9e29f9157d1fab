import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { ApiConfig } from '../config.ts';
import { isLoopback } from '../loopback.ts';

/**
 * Which addresses may be called for a user: by their URL, by what their name resolves to, and never this service itself. What
 * cannot be parsed is blocked.
 */

/** The name does not resolve. */
export class NameNotFound extends Error {
  override readonly name = 'NameNotFound';
}

/** The address is forbidden. The message does not reveal it. */
export class AddressBlocked extends Error {
  override readonly name = 'AddressBlocked';
}

/** The address is this service's own. */
export class OwnOriginReached extends AddressBlocked {}

const MAX_LENGTH = 2048;
/** Most ports below 1024 belong to services other than HTTP. */
const LOW_PORTS = new Set(['', '80', '443']);
/** Names that always mean this machine or this network. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|lan|intranet)$/;

export type RefusedUrl = { readonly problem: string };

/** The parsed URL, or what is wrong with it as a sentence for the caller. */
export function outboundUrl(text: string, allowed: readonly Range[]): URL | RefusedUrl {
  if (text.length > MAX_LENGTH) return { problem: `debe tener como máximo ${MAX_LENGTH} caracteres` };
  // The parser normalises 2130706433, 0x7f.1 and circled digits to dotted form: its result is checked, never the text.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hostname === '') return { problem: 'debe ser una URL válida' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'debe comenzar con http:// o https://' };
  if (url.username !== '' || url.password !== '') return { problem: 'no puede llevar usuario ni contraseña' };
  const host = hostOf(url);
  const isLiteral = isIP(host) !== 0;
  const isLocal = isLiteral ? !isPermitted(host) : LOCAL_NAME.test(host);
  const isOpened = allowed.length > 0 && (isLiteral ? isPermitted(host, allowed) : isLocal);
  if (isLocal && !isOpened) return { problem: NOT_PUBLIC };
  // Opened ranges are for trials on any port; for public addresses the port rule stays.
  const isLowPort = !LOW_PORTS.has(url.port) && Number(url.port) < 1024;
  return isLowPort && !(isLocal && isOpened) ? { problem: 'usa un puerto que no está permitido' } : url;
}

export const NOT_PUBLIC = 'debe apuntar a una dirección pública';

/** The host without the brackets of an IPv6 address and without a final dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/** The service's own addresses. A webhook to one of them could cause an endless loop of calls. */
export type OwnOriginConfig = Pick<ApiConfig, 'PROFILE' | 'PUBLIC_URL' | 'HOST' | 'PORT'>;

export interface OwnOrigin {
  /** Whether the URL names this service. */
  isNamed(url: URL): boolean;
  /** Whether a URL that resolves to this address is this service, whatever its host name. */
  isReached(url: URL, address: string): boolean;
}

const SINK = '/dev/sink/';
const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

export function createOwnOrigin({ PROFILE, PUBLIC_URL, HOST, PORT }: OwnOriginConfig): OwnOrigin {
  const origin = new URL(PUBLIC_URL);
  // The parser has resolved dot segments, encoded ones too, so a prefix comparison is safe.
  const isSink = (url: URL) => PROFILE !== 'production' && url.pathname.startsWith(SINK);
  return {
    isNamed: (url) => hostOf(url) === hostOf(origin) && isSamePort(url, origin) && !isSink(url),
    isReached: (url, address) => portOf(url) === PORT && isListening(HOST, address) && !isSink(url),
  };
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** Port 80 of a host leads to the same service as its port 443. */
function isSamePort(url: URL, origin: URL): boolean {
  const [port, own] = [portOf(url), portOf(origin)];
  return port === own || (isWeb(port) && isWeb(own));
}
const isWeb = (port: number): boolean => port === 80 || port === 443;

/** Whether a server that listens on that host is reachable at this address. */
function isListening(host: string, address: string): boolean {
  const normal = normalized(address);
  // As a target 0.0.0.0 is this machine.
  if (isLoopback(normal) || ANY_ADDRESS.has(normal)) return isLoopback(host) || ANY_ADDRESS.has(host);
  if (!ANY_ADDRESS.has(host)) return normal === normalized(host);
  return Object.values(networkInterfaces()).some((all) => all?.some((own) => normalized(own.address) === normal));
}

/** One spelling per address; a mapped IPv6 address becomes IPv4. */
const normalized = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;

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
