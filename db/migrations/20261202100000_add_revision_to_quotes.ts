import type { Knex } from 'knex';
import { addRevision, dropRevision } from '../row-revision.ts';

/** Columns that GET /api/quotes/:id does not show, and the views. */
const UNCOUNTED = [
  'view_count',
  'updated_at',
  'public_token_hash',
  'public_token_sealed',
  'link_withheld',
  'former_client_names',
  'announced_expiry',
  'shared_at',
  'shared_version',
  'share_id',
  'reminders_stopped_at',
];

/** For entity tags; one migration for each table, so that two table locks are never held together. */
export const up = (knex: Knex): Promise<void> => addRevision(knex, 'quotes', UNCOUNTED);

export const down = (knex: Knex): Promise<void> => dropRevision(knex, 'quotes');
