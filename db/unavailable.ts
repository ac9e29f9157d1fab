/**
 * SQLSTATEs of a server that cannot serve now: connection, resources, operator intervention; and those of a transaction
 * that stood in another's way and was undone, which may be tried again: serialization failure, deadlock.
 */
const SQLSTATE = /^(08|53|57|40001|40P01)/;
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH']);
/** What the driver and the pool say without a code. */
const WORDS =
  /Connection terminated|timeout expired|Query read timeout|Timeout acquiring a connection|Client has encountered a connection error/;

/** Invalid statement name, duplicate prepared statement. */
const UNKNOWN_STATEMENT = new Set(['26000', '42P05']);

/**
 * Whether a connection's prepared statements are not what the server has: a migration changed the type of a column that
 * one of them answers, or a pooler handed out another server process. The next connection serves again.
 */
export function isStatementStale(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  // Other things are "not supported" as well; the routine tells this one apart ("cached plan must not change result type").
  if (error.code === '0A000') return 'routine' in error && error.routine === 'RevalidateCachedQuery';
  return typeof error.code === 'string' && UNKNOWN_STATEMENT.has(error.code);
}

/** Whether the error says that PostgreSQL is away, restarting, full, hung or has undone this one for another, rather than that our query was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (SYSTEM.has(code) || (code.length === 5 && SQLSTATE.test(code)) || WORDS.test(error.message)) return true;
  // Several addresses of one host, each refused.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  // Objection wraps what the driver threw.
  return isDatabaseUnavailable('nativeError' in error ? error.nativeError : error.cause);
}
