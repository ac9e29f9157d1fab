import type { Knex } from 'knex';
import PostgresTransaction from 'knex/lib/dialects/postgres/execution/pg-transaction.js';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import { isId } from './ids.ts';
import { type PipelinedConnection, sendTogether, type Statement, untilNextTick } from './pipelined.ts';

/**
 * A transaction that, for a tenant, begins and names the tenant in the packet of its first statement, and that its last
 * statements commit (`sendLast`, `sendWithCommit`): a round trip fewer at either end.
 */
class TenantAwareTransaction extends PostgresTransaction {
  #begun: Promise<unknown> = Promise.resolve();

  override begin(connection: PipelinedConnection): Promise<unknown> {
    const tenantId = this.userParams?.tenantId;
    if (tenantId === undefined) return super.begin(connection);
    // Two statements in one message cannot carry parameters, so the id is checked to be nothing but an id.
    if (!isId(tenantId)) throw new Error('not a tenant id');
    const mode = this.userParams?.isSnapshot ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : '';
    this.#begun = untilNextTick(connection, () =>
      connection.query(`BEGIN${mode}; SELECT set_config('app.tenant_id', '${tenantId}', true)`),
    );
    // Asked at the end. What follows a beginning that failed meets a broken connection, or no tenant and thus no rows.
    this.#begun.catch(() => undefined);
    return Promise.resolve();
  }

  override async commit(connection: PipelinedConnection, value: unknown): Promise<unknown> {
    const ending = this.transactor && endings.get(this.transactor);
    try {
      await this.#begun;
      if (!ending) return await super.commit(connection, value);
      // After a failure PostgreSQL takes the commit for a rollback.
      if (ending !== 'committed') await sendTogether(connection, [...ending, 'COMMIT']);
    } catch (error) {
      return this.rollback(connection, error);
    }
    /* oxlint-disable no-underscore-dangle -- Knex's names for what it does after a COMMIT of its own */
    this._completed = true;
    return this._resolver(value);
    /* oxlint-enable no-underscore-dangle */
  }
}

/** How transactions end that do not end by a COMMIT alone: with these statements, or they are committed already. */
export const endings = new WeakMap<Knex.Transaction, readonly Statement[] | 'committed'>();

/** What `withTenant` adds to Knex's options; Knex hands options through but sets `userParams` to its own. */
export interface TenantOptions extends Knex.TransactionConfig {
  readonly tenantId?: string;
  /** Whether all its statements see the database as it was at the first. Such a transaction only reads. */
  readonly isSnapshot?: boolean;
  /** Where in a trace it was begun, for the events that it writes. */
  readonly traceparent?: string | null;
  readonly userParams?: Readonly<Record<string, unknown>>;
}

/** Knex's PostgreSQL dialect with that transaction. */
export class TenantClient extends PostgresClient {
  override transaction(container: unknown, config: TenantOptions, outer: unknown): Knex.Transaction {
    const { tenantId, isSnapshot, traceparent, ...options } = config;
    const own =
      tenantId === undefined
        ? options
        : { ...options, userParams: { ...options.userParams, tenantId, isSnapshot, traceparent } };
    // Knex declares here the transactor that the container gets; what it awaits is the transaction itself.
    return new TenantAwareTransaction(this, container, own, outer) as unknown as Knex.Transaction;
  }
}
