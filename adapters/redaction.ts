import { stdSerializers } from 'pino';

/**
 * Removes from logs: secrets, by the name of their member and by their form; contents of mails; and rows that
 * PostgreSQL quotes in errors. Members are matched at any depth, because what is logged is often an error with a
 * request inside.
 */

export const REDACTED = '[redacted]';

/** Members whose value is dropped, in lower case without hyphens and underscores. */
const SECRET_MEMBERS = new Set([
  'authorization', 'cookie', 'setcookie', 'password', 'token', 'publictoken', 'sessiontoken', 'accesstoken', 'secret',
  'key', 'apikey', 'secretaccesskey', 'secrets', 'signature',
  // PostgreSQL quotes the whole row that it refused, and the statement with its values.
  'detail', 'where', 'internalquery', 'bindings', 'parameters',
  // The parts of a mail that people wrote.
  'html', 'text', 'body', 'subject', 'attachments',
]); // prettier-ignore

const SECRET_LOOKS: readonly (readonly [RegExp, string])[] = [
  [/svc_[0-9a-f]{40}/gi, `svc_${REDACTED}`],
  [/whsec_[A-Za-z0-9+/=_-]{16,}/g, `whsec_${REDACTED}`],
  [/\b(Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  // postgres://user:password@host
  [/(\w:\/\/[^\s/:@"\\]*):[^\s/@"\\]+@/g, `$1:${REDACTED}@`],
  // The public page of a quote: its token authenticates the client.
  [/(\/p\/|\/api\/portal\/)[A-Za-z0-9_-]{43}/g, `$1${REDACTED}`],
];

/** Deeper than any useful value; also ends cyclic references. */
const MAX_DEPTH = 8;

/** One expression for all, because every line is tested and hardly one matches. */
const ANY_SECRET = new RegExp(SECRET_LOOKS.map(([looks]) => looks.source).join('|'), 'i');

/** Masks anything that looks like a secret, anywhere in a line. */
export const maskText = (line: string): string =>
  ANY_SECRET.test(line) ? SECRET_LOOKS.reduce((masked, [looks, mask]) => masked.replace(looks, mask), line) : line;

/** A copy of a logged value without the secrets in its members. */
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
  // Decimals, URLs: they print as text, and the final line is masked.
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;

  return redactEach(value instanceof Error ? describeError(value) : value, depth + 1);
}

/** Type, message, stack with all causes, and the error's own members (code, statusCode). */
function describeError(error: Error): object {
  const { raw: _raw, ...described } = stdSerializers.err(error);
  return described;
}
