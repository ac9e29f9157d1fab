import type { Knex } from 'knex';

/** Mails about a client's answer: to the members of the business, who may switch them off, and to the signer. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.boolean('notify_on_answer').notNullable().defaultTo(true);
  });
  await knex.schema.alterTable('mails', (table) => {
    table.text('quote_id');
    // The signer of a quote is no user.
    table.setNullable('user_id');
    table.setNullable('token_id');
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.dropChecks(['mails_kind', 'mails_token']);
    table.check("kind in ('invitation', 'password_reset', 'answer_member', 'answer_signer')", [], 'mails_kind');
    table.check('(token_id is null) <> (quote_id is null)', [], 'mails_subject');
    table.check(
      "case when token_id is null then token_sealed is null else (status = 'PENDING') = (token_sealed is not null) end",
      [],
      'mails_token',
    );
    table.check("(user_id is null) = (kind = 'answer_signer')", [], 'mails_recipient');
    table.index(['tenant_id', 'quote_id'], 'mails_of_quote');
  });
  // One mail for each recipient of an answer; a quote is answered once.
  await knex.raw(
    "create unique index mails_of_answer on mails (tenant_id, quote_id, kind, coalesce(user_id, '')) where kind like 'answer_%'",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('delete from mails where quote_id is not null');
  await knex.raw('drop index mails_of_answer');
  await knex.schema.alterTable('mails', (table) => {
    table.dropChecks(['mails_kind', 'mails_token', 'mails_subject', 'mails_recipient']);
    table.dropIndex([], 'mails_of_quote');
    table.dropColumn('quote_id');
    table.dropNullable('user_id');
    table.dropNullable('token_id');
    table.check("kind in ('invitation', 'password_reset')", [], 'mails_kind');
    table.check("(status = 'PENDING') = (token_sealed is not null)", [], 'mails_token');
  });
  await knex.schema.alterTable('tenants', (table) => {
    table.dropColumn('notify_on_answer');
  });
}
