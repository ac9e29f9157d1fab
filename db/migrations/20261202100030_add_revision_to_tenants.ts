import type { Knex } from 'knex';
import { addRevision, dropRevision } from '../row-revision.ts';

/** Columns that the settings do not show. */
const UNCOUNTED = ['updated_at', 'plan', 'reschedule_event_id'];

/** For entity tags; one migration for each table, so that two table locks are never held together. */
export const up = (knex: Knex): Promise<void> => addRevision(knex, 'tenants', UNCOUNTED);

export const down = (knex: Knex): Promise<void> => dropRevision(knex, 'tenants');
