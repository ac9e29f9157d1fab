import type { Knex } from 'knex';
import type { Sql } from 'sql-template-tag';
import { isId } from './ids.ts';
import { dispose, type PipelinedConnection, type RowsOfEach, sendPipelined, type Statement } from './pipelined.ts';
import { tenantShareOf } from './tenant-share.ts';
import { isStatementStale } from './unavailable.ts';
import { markEventRecorded, type Nudge, tenantOf, type TenantTransaction, traceparentOf } from './with-tenant.ts';

/** Statement pipelining for hot paths: several statements leave in one packet, and none waits for the one before. */

export type { RowsOfEach } from './pipelined.ts';

/** A statement that each connection parses and plans once. */
export interface NamedStatement extends Statement {
  readonly name: string;
  /** It writes to the outbox: the dispatchers are nudged after the commit. */
  readonly wakesDispatcher?: true;
}

/** A statement of this name from a template, whose values become parameters. A name stands for one text. */
export const named = (name: string, { text, values }: Sql): NamedStatement => ({ name, text, values });

/** Sends statements in one round trip; each sees what the one before wrote. Throws what the first failing one threw. */
export type Send = (statements: readonly NamedStatement[]) => Promise<RowsOfEach>;

/** A transaction of one tenant, of either kind, as far as statements are sent in it. */
export interface Sender {
  readonly tenantId: string;
  /** Where in a trace it was begun, for the events that it writes; null without traces. */
  readonly traceparent: string | null;
  readonly send: Send;
}

/**
 * A transaction whose statements are all sent by `send`: it begins in the packet of the first ones, and may end in that of
 * the last ones. It is no Knex transaction: models and query builders do not run in it.
 */
export interface PipelinedTransaction extends Sender {
  /** Sends the last statements together with the commit; nothing can follow. */
  readonly sendAndCommit: Send;
}

/** Runs the function in a pipelined transaction of that tenant: commits when it returns, rolls back when it throws. */
export type WithPipeline = <T>(tenantId: string, fn: (tx: PipelinedTransaction) => Promise<T>) => Promise<T>;

/**
 * Reads in a transaction of its own that begins and ends in the same round trip, under row-level security like
 * `withTenant`; all statements see one moment.
 */
export type PipelinedRead = (tenantId: string, statements: readonly NamedStatement[]) => Promise<RowsOfEach>;

/** @param traceparent asked as each transaction begins: where in a trace that is, or null */
export function createWithPipeline(
  knex: Knex,
  nudge: Nudge,
  traceparent: () => string | null = () => null,
): WithPipeline {
  const share = tenantShareOf(knex);
  return async (tenantId, fn) => {
    const begin = beginFor(tenantId);
    let wakesDispatcher = false;
    const result = await share(tenantId, () =>
      onConnection(knex, async (connection) => {
        let state: 'new' | 'open' | 'over' = 'new';
        const sendIn = async (statements: readonly NamedStatement[], isLast: boolean): Promise<RowsOfEach> => {
          if (state === 'over') throw new Error('the transaction is over');
          const before = state === 'new' ? begin : [];
          state = isLast ? 'over' : 'open';
          wakesDispatcher ||= statements.some((statement) => statement.wakesDispatcher);
          const rows = await sendPipelined(connection, [...before, ...statements, ...(isLast ? ['COMMIT'] : [])]);
          return rows.slice(before.length, before.length + statements.length);
        };
        try {
          const value = await fn({
            tenantId,
            traceparent: traceparent(),
            send: (statements) => sendIn(statements, false),
            sendAndCommit: (statements) => sendIn(statements, true),
          });
          // Read again, since the closures above change it.
          if ((state as string) === 'open') await sendIn([], true);
          return value;
        } catch (error) {
          if ((state as string) !== 'new') await rollBack(connection);
          throw error;
        } finally {
          state = 'over';
        }
      }),
    );
    if (wakesDispatcher) nudge();
    return result;
  };
}

export function createPipelinedRead(knex: Knex): PipelinedRead {
  const share = tenantShareOf(knex);
  return async (tenantId, statements) => {
    const begin = beginFor(tenantId, 'ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const read = (asked: readonly Statement[]) =>
      share(tenantId, () =>
        onConnection(knex, async (connection) => {
          try {
            const rows = await sendPipelined(connection, [...begin, ...asked, 'COMMIT']);
            return rows.slice(begin.length, -1);
          } catch (error) {
            await rollBack(connection);
            throw error;
          }
        }),
      );
    try {
      return await read(statements);
    } catch (error) {
      if (!isStatementStale(error)) throw error;
      // A read may be repeated. Without names, for the next connection may be as old as this one was.
      return read(statements.map(({ text, values }) => ({ text, values })));
    }
  };
}

/** Sends statements in one round trip, in a transaction of `withTenant`. */
export async function send(trx: TenantTransaction, statements: readonly NamedStatement[]): Promise<RowsOfEach> {
  // Its connection may be another tenant's by now.
  if (trx.isCompleted()) throw new Error('the transaction is over');
  if (statements.some(({ wakesDispatcher }) => wakesDispatcher)) markEventRecorded(trx);
  // Knex types its client and connections as any.
  return sendPipelined((await trx.client.acquireConnection()) as PipelinedConnection, statements);
}

/** A transaction of `withTenant`, for what runs in transactions of both kinds. */
export const senderOf = (trx: TenantTransaction): Sender => ({
  tenantId: tenantOf(trx),
  traceparent: traceparentOf(trx),
  send: (statements) => send(trx, statements),
});

/**
 * The commands that begin a transaction and name its tenant. Their text takes no parameters, so the id is checked to be
 * nothing but one. SET is neither planned nor answered with a row, which set_config() is.
 *
 * Statements of such transactions are prepared, but PostgreSQL would plan those with a limit anew for each execution,
 * because it overestimates their cost without its value. Planning a page of quotes costs more than reading it.
 */
function beginFor(tenantId: string, mode = ''): readonly string[] {
  if (!isId(tenantId)) throw new Error('not a tenant id');
  return [`BEGIN ${mode}`, `SET LOCAL app.tenant_id = '${tenantId}'`, 'SET LOCAL plan_cache_mode = force_generic_plan'];
}

async function onConnection<T>(knex: Knex, work: (connection: PipelinedConnection) => Promise<T>): Promise<T> {
  // Knex types its client and connections as any.
  const connection = (await knex.client.acquireConnection()) as PipelinedConnection;
  try {
    return await work(connection);
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

/** A connection whose transaction cannot be undone is not used again. */
async function rollBack(connection: PipelinedConnection): Promise<void> {
  try {
    await connection.query('ROLLBACK');
  } catch (error) {
    dispose(connection, error);
  }
}
