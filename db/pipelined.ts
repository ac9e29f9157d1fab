import type { Writable } from 'node:stream';
import { isStatementStale } from './unavailable.ts';

/** What a connection of the pool is where we send without waiting for answers; `database.ts` has the driver do so. */
export interface PipelinedConnection {
  query(statement: string | Statement): Promise<{ readonly rows: readonly unknown[] }>;
  readonly connection?: { readonly stream: Pick<Writable, 'cork' | 'uncork'> };
  /** Where Knex notes that a connection must not be used again. */
  __knex__disposed?: unknown;
}

/** Columns are named one by one in its text, for a plan must not outlive a new column of a `*`. */
export interface Statement {
  /** A connection parses and plans what has a name once. It stands for the text: one text, one name. */
  readonly name?: string;
  /** With `$1`, `$2`. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Rows of each statement, as the driver has them: columns keep the names that the statement gives them. */
export type RowsOfEach = readonly (readonly unknown[])[];

/** Sends statements in one packet and gives the rows of each. Throws what the first failing one threw. */
export async function sendPipelined(
  connection: PipelinedConnection,
  statements: readonly (string | Statement)[],
): Promise<RowsOfEach> {
  // Refused here and not by the driver, which would send those behind it all the same, a commit among them.
  for (const statement of statements) if (typeof statement !== 'string') assertOneText(statement);
  // Waits for all results, so that none is left on the connection for its next user.
  const results = await Promise.allSettled(queryAll(connection, statements));
  // What comes after the first failure is refused only because of it.
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    if (isStatementStale(failed.reason)) dispose(connection, failed.reason);
    throw failed.reason;
  }
  return results.map((result) => (result.status === 'fulfilled' ? result.value.rows : []));
}

const textOf = new Map<string, string>();

function assertOneText({ name, text }: Statement): void {
  if (name === undefined) return;
  const known = textOf.get(name);
  if (known === undefined) textOf.set(name, text);
  else if (known !== text) throw new Error(`two texts are named ${name}`);
}

function queryAll(connection: PipelinedConnection, statements: readonly (string | Statement)[]) {
  const stream = connection.connection?.stream;
  stream?.cork();
  try {
    return statements.map((statement) => connection.query(statement));
  } finally {
    stream?.uncork();
  }
}

/** Has the pool give the connection up. */
export function dispose(connection: PipelinedConnection, reason: unknown): void {
  // oxlint-disable-next-line no-underscore-dangle -- the name is Knex's; it has no other way to give up one connection
  connection.__knex__disposed = reason;
}
