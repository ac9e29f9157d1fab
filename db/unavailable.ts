/** SQLSTATE classes of a server that cannot serve now: connection, resources, operator intervention. */
const SQLSTATE = /^(08|53|57)/;
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH']);
/** What the driver and the pool say without a code. */
const WORDS =
  /Connection terminated|timeout expired|Query read timeout|Timeout acquiring a connection|Client has encountered a connection error/;

/** Whether the error says that PostgreSQL is away, restarting, full or hung, rather than that our query was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (SYSTEM.has(code) || (code.length === 5 && SQLSTATE.test(code)) || WORDS.test(error.message)) return true;
  // Several addresses of one host, each refused.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  // Objection wraps what the driver threw.
  return isDatabaseUnavailable('nativeError' in error ? error.nativeError : error.cause);
}
