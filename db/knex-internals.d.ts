/** The two classes of Knex 3.3 that it ships without types, as far as `tenant-client.ts` uses them. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { knex } from 'knex';
  const PostgresClient: typeof knex.Client;
  export = PostgresClient;
}

declare module 'knex/lib/dialects/postgres/execution/pg-transaction.js' {
  import type { Knex } from 'knex';
  class PostgresTransaction {
    constructor(client: Knex.Client, container: unknown, config: unknown, outer: unknown);
    readonly userParams?: { readonly tenantId?: string; readonly isSnapshot?: boolean };
    /** What whoever runs the transaction is given. */
    readonly transactor?: Knex.Transaction;
    begin(connection: unknown): Promise<unknown>;
    commit(connection: unknown, value: unknown): Promise<unknown>;
    rollback(connection: unknown, error: unknown): Promise<unknown>;
    /** Ends the transaction with what it returns, and whether that happened. */
    _resolver(value: unknown): void;
    _completed: boolean;
  }
  export = PostgresTransaction;
}
