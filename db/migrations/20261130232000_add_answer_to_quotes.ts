import type { Knex } from 'knex';

/**
 * Who signed a quote stands in the quote too, so that lists need no join. Existing answers are filled from their
 * signatures, and from the audit log where the quote does not have them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.text('signer_name');
    table.text('signer_email');
  });
  await knex.raw(
    `update quotes q set signer_name = s.signer_name, signer_email = s.signer_email,
            answered_at = coalesce(q.answered_at, s.signed_at)
       from signatures s
      where s.tenant_id = q.tenant_id and s.quote_id = q.id and s.version = q.version and q.status = 'ACCEPTED'`,
  );
  await knex.raw(
    `update quotes q set answered_at = coalesce(q.answered_at, a.created_at),
            rejection_reason = coalesce(q.rejection_reason, a.metadata::jsonb ->> 'reason')
       from audit_logs a
      where a.tenant_id = q.tenant_id and a.entity = 'quote' and a.entity_id = q.id and a.action = 'status_change'
        and a.actor = 'portal' and a.metadata::jsonb ->> 'to' = 'REJECTED' and q.status = 'REJECTED'
        and (q.answered_at is null or q.rejection_reason is null)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.dropColumns('signer_name', 'signer_email');
  });
}
