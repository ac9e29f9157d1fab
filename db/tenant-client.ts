import type { Knex } from 'knex';
import PostgresTransaction from 'knex/lib/dialects/postgres/execution/pg-transaction.js';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import { isId } from './ids.ts';

/** A transaction that, for a tenant, begins and names the tenant in one round trip instead of two. */
class TenantAwareTransaction extends PostgresTransaction {
  override begin(connection: unknown): Promise<unknown> {
    const tenantId = this.userParams?.tenantId;
    if (tenantId === undefined) return super.begin(connection);
    // Two statements in one message cannot carry parameters, so the id is checked to be nothing but an id.
    if (!isId(tenantId)) throw new Error('not a tenant id');
    const mode = this.userParams?.isSnapshot ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : '';
    return this.query(connection, `BEGIN${mode}; SELECT set_config('app.tenant_id', '${tenantId}', true);`);
  }
}

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
