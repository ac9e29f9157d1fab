import type { Knex } from 'knex';
import { connect, type DatabaseOptions } from './database.ts';

declare const dispatcher: unique symbol;

/**
 * A pool whose role sees the rows of all tenants, of the few tables that dispatching and reconciling need. As the app's role
 * the same queries would find nothing, without an error.
 */
export type DispatcherDb = Knex & { readonly [dispatcher]: true };

/** The brand is given here and nowhere else. */
export const connectAsDispatcher = (options: DatabaseOptions): DispatcherDb => connect(options) as DispatcherDb;
