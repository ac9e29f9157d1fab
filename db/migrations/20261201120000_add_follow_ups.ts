import type { Knex } from 'knex';
import { protectTenantTable, readableByDispatcher } from '../row-security.ts';

/** Follow-ups of quotes that their clients have not answered, and the last share, from which their times count. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.specificType('follow_up_days', 'integer[]').notNullable().defaultTo('{}');
    table.check('cardinality(follow_up_days) <= 3', [], 'tenants_follow_up_days');
  });
  await knex.schema.alterTable('quotes', (table) => {
    table.timestamp('shared_at');
    // A revision cancels follow-ups until it is shared.
    table.integer('shared_version');
    // Its Message-ID follows from it: later mails refer to it.
    table.text('share_id');
    table.timestamp('reminders_stopped_at');
    table.check(
      '(num_nulls(shared_at, shared_version, share_id) = 0 or num_nulls(shared_at, shared_version, share_id) = 3)',
      [],
      'quotes_shared',
    );
  });
  // The id of a quote.sent event is that of its share.
  await knex.raw(
    `update quotes q set shared_at = s.created_at, shared_version = s.version, share_id = s.id
       from (select distinct on (tenant_id, quote_id) tenant_id, quote_id, id, created_at,
                    (payload::jsonb #>> '{data,quote,version}')::integer as version
               from outbox_events where type = 'quote.sent' order by tenant_id, quote_id, sequence desc) s
      where s.tenant_id = q.tenant_id and s.quote_id = q.id and s.version is not null`,
  );

  await knex.schema.createTable('follow_ups', (table) => {
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    table.integer('version').notNullable();
    // Of the setting: days after the last share.
    table.integer('day').notNullable();
    table.timestamp('due_at').notNullable();
    // The claim: the first to set it has the effect.
    table.timestamp('claimed_at');
    table.text('mail');
    // Once for each version and day.
    table.primary(['tenant_id', 'quote_id', 'version', 'day']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.check('day between 1 and 60', [], 'follow_ups_day');
    table.check("mail in ('PENDING', 'SENT', 'FAILED', 'SKIPPED')", [], 'follow_ups_mail');
    table.check('(mail is null) = (claimed_at is null)', [], 'follow_ups_claimed');
  });
  await protectTenantTable(knex, 'follow_ups', { app: ['select', 'insert', 'update', 'delete'] });
  await readableByDispatcher(knex, 'follow_ups', ['tenant_id', 'quote_id', 'version', 'claimed_at', 'mail']);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table follow_ups');
  await knex.schema.alterTable('quotes', (table) => {
    table.dropColumns('shared_at', 'shared_version', 'share_id', 'reminders_stopped_at');
  });
  await knex.schema.alterTable('tenants', (table) => {
    table.dropColumn('follow_up_days');
  });
}
