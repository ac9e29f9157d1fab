import { stdSerializers } from 'pino';

/**
 * What never reaches a log: secrets by the name of their member and by their looks, the words of mails, and rows that
 * PostgreSQL quotes.
 * Members are matched at any depth, because what is logged is often an error with a request inside.
 */

export const REDACTED = '[redacted]';

/** Members whose value is dropped, in lower case and without hyphens and underscores. */
const SECRET_MEMBERS = new Set([
  'authorization', 'cookie', 'setcookie', 'password', 'token', 'publictoken', 'sessiontoken', 'accesstoken', 'secret',
  'key', 'apikey', 'secretaccesskey', 'secrets', 'signature',
  // PostgreSQL quotes the whole row that it refused, and the statement with its values.
  'detail', 'where', 'internalquery', 'bindings', 'parameters',
  // The parts of a mail that hold what people wrote.
  'html', 'text', 'body', 'subject', 'attachments',
]); // prettier-ignore

const SECRET_LOOKS: readonly (readonly [RegExp, string])[] = [
  [/svc_[0-9a-f]{40}/gi, `svc_${REDACTED}`],
  [/whsec_[A-Za-z0-9+/=_-]{16,}/g, `whsec_${REDACTED}`],
  [/\b(Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  // postgres://user:password@host
  [/(\w:\/\/[^\s/:@"\\]*):[^\s/@"\\]+@/g, `$1:${REDACTED}@`],
  // The public page of a quote: whoever has the token is the client.
  [/(\/p\/|\/api\/portal\/)[A-Za-z0-9_-]{43}/g, `$1${REDACTED}`],
];

/** Far deeper than anything worth reading, and an end for what points at itself. */
const MAX_DEPTH = 8;

/** All of them at once: hardly a line has any, and every line is looked at. */
const ANY_SECRET = new RegExp(SECRET_LOOKS.map(([looks]) => looks.source).join('|'), 'i');

/** Masks what looks like a secret, wherever in a line it stands. */
export const maskText = (line: string): string =>
  ANY_SECRET.test(line) ? SECRET_LOOKS.reduce((masked, [looks, mask]) => masked.replace(looks, mask), line) : line;

/** A copy of what is logged without the secrets in its members. */
export const redactMembers = (members: object): Record<string, unknown> => redactEach(members, 0);

const redactEach = (members: object, depth: number): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, redactMember(name, value, depth)]));

function redactMember(name: string, value: unknown, depth: number): unknown {
  if (value === null || value === undefined) return value;
  return SECRET_MEMBERS.has(name.toLowerCase().replace(/[-_]/g, '')) ? REDACTED : redactValue(value, depth);
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth + 1));
  // Decimals, URLs: what they print as is a text, and texts are masked at the end.
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;

  return redactEach(value instanceof Error ? describeError(value) : value, depth + 1);
}

/** Type, message, stack with all causes, and the error's own members (code, statusCode). */
function describeError(error: Error): object {
  const { raw: _raw, ...described } = stdSerializers.err(error);
  return described;
}
