import type { Writable } from 'node:stream';
import { isId } from './ids.ts';
import { isStatementStale } from './unavailable.ts';

/** What a connection of the pool is where we send without waiting for answers; `database.ts` has the driver do so. */
export interface PipelinedConnection {
  /** Several commands in one text have a result each. */
  query(statement: string | Statement): Promise<QueryResult | readonly QueryResult[]>;
  readonly connection?: {
    readonly stream: Pick<Writable, 'cork' | 'uncork'>;
    /** The driver's own list of what this connection has prepared: texts by name. */
    readonly parsedStatements?: Readonly<Record<string, string | undefined>>;
  };
  /** Where Knex notes that a connection must not be used again. */
  __knex__disposed?: unknown;
}

interface QueryResult {
  readonly rows: readonly unknown[];
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

/**
 * Sends statements in one packet and gives the rows of each. A string is one command. Throws what the first failing one
 * threw; whether those after it have run, a rollback among them, is then unknown.
 */
export async function sendPipelined(
  connection: PipelinedConnection,
  statements: readonly (string | Statement)[],
): Promise<RowsOfEach> {
  // Refused here and not by the driver, which would send those behind it all the same, a commit among them.
  for (const statement of statements) if (typeof statement !== 'string') assertOneText(statement);
  // Waits for all results, so that none is left on the connection for its next user.
  const results = await Promise.allSettled(queryAll(connection, withCommandsJoined(connection, statements)));
  // What comes after the first failure is refused only because of it.
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    if (isStatementStale(failed.reason)) dispose(connection, failed.reason);
    throw failed.reason;
  }
  return results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value].flat().map(({ rows }) => rows) : [],
  );
}

/**
 * The statements with adjacent commands joined in one text, which is one message with one answer: each message of the
 * extended protocol costs the driver as much as a small query costs PostgreSQL.
 */
function withCommandsJoined(
  connection: PipelinedConnection,
  statements: readonly (string | Statement)[],
): readonly (string | Statement)[] {
  const joined: (string | Statement)[] = [];
  for (const statement of statements) {
    const command = typeof statement === 'string' ? statement : (commandOf(connection, statement) ?? statement);
    const before = joined.at(-1);
    if (typeof command === 'string' && typeof before === 'string') joined[joined.length - 1] = `${before}; ${command}`;
    else joined.push(command);
  }
  return joined;
}

/** EXECUTE for a statement that the connection has prepared. Only ids and integers become part of a text. */
function commandOf({ connection }: PipelinedConnection, { name, text, values }: Statement): string | undefined {
  if (name === undefined || connection?.parsedStatements?.[name] !== text) return undefined;
  const literals: string[] = [];
  for (const value of values) {
    if (typeof value === 'string' && isId(value)) literals.push(`'${value}'`);
    else if (Number.isSafeInteger(value)) literals.push(String(value));
    else return undefined;
  }
  return `EXECUTE "${name}"${literals.length > 0 ? `(${literals.join(',')})` : ''}`;
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
