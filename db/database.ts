import createKnex, { type Knex } from 'knex';
import { knexSnakeCaseMappers } from 'objection';

export interface DatabaseOptions {
  readonly url: string;
  /** Most connections kept open. */
  readonly pool?: number;
  readonly applicationName: string;
  /** Milliseconds. Default: what work that is retried may take; requests and migrations have their own. */
  readonly statementTimeoutMs?: number;
}

/** What a statement of a request may take; with the wait for a connection less than a caller waits. Milliseconds. */
export const REQUEST_STATEMENT_TIMEOUT_MS = 5_000;

/** Milliseconds. A caller is answered within ten seconds whatever the database does. */
const LIMITS = { connect: 3_000, acquire: 4_000, statement: 4_000, idleInTransaction: 15_000 } as const;

/** A pool for one role of the database. Tables and columns are snake_case there and camelCase here. */
export function connect({
  url,
  pool = 8,
  applicationName,
  statementTimeoutMs = LIMITS.statement,
}: DatabaseOptions): Knex {
  // A variable, for Knex's types do not know all that the driver takes.
  const connection = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: LIMITS.connect,
    statement_timeout: statementTimeoutMs,
    // A hung server keeps its socket open and answers nothing: the driver must give up by itself.
    query_timeout: statementTimeoutMs + 500,
    idle_in_transaction_session_timeout: LIMITS.idleInTransaction,
    keepAlive: true,
    // Statements that need not wait for each other's answers leave together (pipeline.ts). One that is not
    // answered in time then takes its connection with it.
    pipeline: true,
  };
  return createKnex({
    client: 'pg',
    connection,
    // min 0: Knex does not check connections that lay idle over a restart of the server.
    pool: { min: 0, max: pool, idleTimeoutMillis: 30_000, createTimeoutMillis: LIMITS.connect },
    acquireConnectionTimeout: LIMITS.acquire,
    // Errors are thrown to the caller; Knex would print them to the console as well.
    log: { warn: silence, error: silence, deprecate: silence, debug: silence },
    ...knexSnakeCaseMappers(),
  });
}

function silence(): void {}
