import { isIP } from 'node:net';
import { isPermitted, type Range } from './guard.ts';

/** Users' addresses: which are refused before anything is resolved. */

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
