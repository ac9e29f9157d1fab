/** What is known of calls to addresses that users gave: webhooks and fire_webhook. */

/** Why there was no answer: a closed set, so that no text of a network stack reaches anybody. */
export const NO_ANSWER = [
  'dns',
  'refused',
  'reset',
  'timeout',
  'tls',
  'blocked_address',
  'protocol',
  'unreachable',
] as const;
export type NoAnswer = (typeof NO_ANSWER)[number];

/** Where a delivery stands. All but PENDING are final. */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'SKIPPED', 'CANCELLED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** 2xx only: a redirect is not followed, so it delivered nothing. */
export const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;

const MAX_HEADERS = 20;
const MAX_HEADER_BYTES = 4096;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]*$/;
/** What we set ourselves, what frames the message, and what only a browser or a proxy may say. */
const RESERVED =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|expect|te|trailer|upgrade|proxy-.*|cookie|accept-encoding|x-service-.*|webhook-.*)$/i;

/** What is wrong with the extra headers of a fire_webhook action, by header; none when they may be sent. */
export function headerProblems(
  headers: Readonly<Record<string, string>>,
): readonly { name: string; message: string }[] {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return [{ name: '', message: `debe tener como máximo ${MAX_HEADERS} encabezados` }];
  if (entries.reduce((bytes, [name, value]) => bytes + name.length + value.length, 0) > MAX_HEADER_BYTES)
    return [{ name: '', message: 'debe ocupar como máximo 4 kB' }];
  const seen = new Set<string>();
  return entries.flatMap(([name, value]) => {
    const message = headerProblem(name, value, seen.has(name.toLowerCase()));
    seen.add(name.toLowerCase());
    return message ? [{ name, message }] : [];
  });
}

function headerProblem(name: string, value: string, repeated: boolean): string | undefined {
  if (!TOKEN.test(name)) return 'no es un nombre de encabezado';
  if (RESERVED.test(name)) return 'es un encabezado reservado';
  if (repeated) return 'está repetido';
  return VALUE.test(value) ? undefined : 'solo admite caracteres ASCII visibles';
}
