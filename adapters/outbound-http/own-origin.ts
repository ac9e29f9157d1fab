import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { ApiConfig } from '../config.ts';
import { isLoopback } from '../loopback.ts';
import { hostOf } from './url.ts';

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
