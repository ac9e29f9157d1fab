import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

/** When many deliveries wait, one run carries the first attempts of a batch of them. */
export async function up(knex: Knex): Promise<void> {
  // The batch that carries it, or once did: a delivery is put into one at most. It is named after its oldest delivery.
  await knex.raw('alter table webhook_deliveries add batch_id text');
  // Since then the delivery has a run of its own, or is to be given one. While it waits, null means: in the batch's hands.
  await knex.raw('alter table webhook_deliveries add left_batch_at timestamptz');
  await knex.raw(
    `alter table webhook_deliveries add constraint webhook_deliveries_left_batch
       check (left_batch_at is null or batch_id is not null)`,
  );
  // What is in a batch's hands: few rows at any time, and asked for with every hand-over.
  await knex.raw(
    `create index webhook_deliveries_carried on webhook_deliveries (tenant_id, webhook_id)
      where batch_id is not null and left_batch_at is null and status = 'PENDING'`,
  );
  await knex.raw(`grant update (batch_id, left_batch_at) on webhook_deliveries to ${ROLES.dispatcher}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`revoke update (batch_id, left_batch_at) on webhook_deliveries from ${ROLES.dispatcher}`);
  // Its index and its check go with the columns.
  await knex.raw('alter table webhook_deliveries drop batch_id, drop left_batch_at');
}
