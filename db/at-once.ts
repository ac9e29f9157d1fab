import type { Writable } from 'node:stream';
import type { Knex } from 'knex';
import { isId } from './ids.ts';
import { isStatementStale } from './unavailable.ts';

/** Several statements in one round trip: they leave together, and none waits for the answer of the one before. */

/** A statement that each connection parses and plans once. Its name stands for its text: one text, one name. */
export interface NamedStatement {
  readonly name: string;
  /** With `$1`, `$2`; columns are named one by one, for a plan must not outlive a new column of a `*`. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Rows of each statement, as the driver has them: columns keep the names that the statement gives them. */
export type RowsOfEach = readonly (readonly unknown[])[];

/**
 * Reads in a transaction of its own that begins and ends in the same round trip, under row-level security like
 * `withTenant`; all statements see one moment. Throws what the first failing statement threw.
 */
export type ReadAtOnce = (tenantId: string, statements: readonly NamedStatement[]) => Promise<RowsOfEach>;

export function createReadAtOnce(knex: Knex): ReadAtOnce {
  return async (tenantId, statements) => {
    // It stands in a text that takes no parameters, so it is checked to be nothing but an id.
    if (!isId(tenantId)) throw new Error('not a tenant id');
    const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT set_config('app.tenant_id', '${tenantId}', true)`;
    try {
      return await inTransactionOfItsOwn(knex, begin, statements);
    } catch (error) {
      if (!isStatementStale(error)) throw error;
      // A reading may be repeated. Without names, for the next connection may be as old as this one was.
      const unnamed = statements.map(({ text, values }) => ({ text, values }));
      return inTransactionOfItsOwn(knex, begin, unnamed);
    }
  };
}

async function inTransactionOfItsOwn(knex: Knex, begin: string, statements: readonly Statement[]): Promise<RowsOfEach> {
  // Knex types its client and connections as any.
  const connection = (await knex.client.acquireConnection()) as Connection;
  try {
    // After a failure PostgreSQL refuses what follows and takes the commit for a rollback: the connection is clean.
    const rows = await send(connection, [begin, ...statements, 'COMMIT']);
    return rows.slice(1, -1);
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

/** The same within a transaction that is open. What one statement wrote, the next one sees. */
export async function sendAtOnce(trx: Knex.Transaction, statements: readonly NamedStatement[]): Promise<RowsOfEach> {
  // Its connection may be another tenant's by now.
  if (trx.isCompleted()) throw new Error('the transaction is over');
  return send((await trx.client.acquireConnection()) as Connection, statements);
}

type Statement = Omit<NamedStatement, 'name'> & Partial<Pick<NamedStatement, 'name'>>;

/** What a connection of the pool is, as far as it is used here; `database.ts` has the driver send without waiting. */
interface Connection {
  query(statement: string | Statement): Promise<{ readonly rows: readonly unknown[] }>;
  readonly connection?: { readonly stream: Pick<Writable, 'cork' | 'uncork'> };
  /** Where Knex notes that a connection must not be used again. */
  __knex__disposed?: unknown;
}

async function send(connection: Connection, statements: readonly (string | Statement)[]): Promise<RowsOfEach> {
  // All are answered before the connection goes on, so that no answer meets another request.
  const results = await Promise.allSettled(leaveTogether(connection, statements));
  // What comes after the first failure is refused only because of it.
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    // oxlint-disable-next-line no-underscore-dangle -- the name is Knex's; it has no other way to give up one connection
    if (isStatementStale(failed.reason)) connection.__knex__disposed = failed.reason;
    throw failed.reason;
  }
  return results.map((result) => (result.status === 'fulfilled' ? result.value.rows : []));
}

/** Corked, they leave as one packet. */
function leaveTogether(connection: Connection, statements: readonly (string | Statement)[]) {
  connection.connection?.stream.cork();
  try {
    return statements.map((statement) => connection.query(statement));
  } finally {
    connection.connection?.stream.uncork();
  }
}
