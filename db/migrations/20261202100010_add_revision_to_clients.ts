import type { Knex } from 'knex';
import { addRevision, dropRevision } from '../row-revision.ts';

/** Written with every change; alone it is none. */
const UNCOUNTED = ['updated_at'];

/** For entity tags; one migration for each table, so that two table locks are never held together. */
export const up = (knex: Knex): Promise<void> => addRevision(knex, 'clients', UNCOUNTED);

export const down = (knex: Knex): Promise<void> => dropRevision(knex, 'clients');
