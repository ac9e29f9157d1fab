import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

const DISPATCHER = ROLES.dispatcher;
// What housekeeping may delete at most: the policies enforce a minimum age, the settings may only be longer.
const DAY_OLD = (column: string) => `${column} < now() - interval '1 day'`;

/** Housekeeping uses the dispatcher's role, in addition to its other policies. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `grant update (payload, response_body, bodies_purged_at), delete on webhook_deliveries to ${DISPATCHER}`,
  );
  await restrictDelete(knex, 'webhook_deliveries', DAY_OLD('completed_at'));
  await knex.raw(`grant select (tenant_id, delivery_id, response_body), update (response_body)
    on webhook_attempts to ${DISPATCHER}`);
  await knex.raw(`create policy purge_read on webhook_attempts for select to ${DISPATCHER} using (true)`);
  await knex.raw(`create policy purge on webhook_attempts for update to ${DISPATCHER} using (true)
    with check (response_body is null)`);

  await knex.raw(`grant delete on outbox_events to ${DISPATCHER}`);
  await restrictDelete(
    knex,
    'outbox_events',
    `planned_at is not null and handed_over_at is not null and ${DAY_OLD('created_at')}`,
  );

  await allowDelete(knex, 'idempotency_keys', 'tenant_id, scope, created_at', DAY_OLD('created_at'));
  await allowDelete(knex, 'sessions', 'tenant_id, id, expires_at', DAY_OLD('expires_at'));
  await allowDelete(knex, 'one_time_tokens', 'tenant_id, id, expires_at', DAY_OLD('expires_at'));
  await knex.raw(`grant select (closed_at, token_id), delete on mails to ${DISPATCHER}`);
  await knex.raw(`create policy purge on mails for delete to ${DISPATCHER}
    using (status <> 'PENDING' and ${DAY_OLD('closed_at')})`);

  await allowFiles(knex);
}

/** The role has a permissive policy for all rows of this table, so only a restrictive one limits it. */
async function restrictDelete(knex: Knex, table: string, rows: string): Promise<void> {
  await knex.raw(`create policy purge on ${table} as restrictive for delete to ${DISPATCHER} using (${rows})`);
}

async function allowDelete(knex: Knex, table: string, columns: string, rows: string): Promise<void> {
  await knex.raw(`create policy purge_read on ${table} for select to ${DISPATCHER} using (true)`);
  await knex.raw(`create policy purge on ${table} for delete to ${DISPATCHER} using (${rows})`);
  await knex.raw(`grant select (${columns}), delete on ${table} to ${DISPATCHER}`);
}

/** PDFs without references: never a signed document, nor one shown to a signer. */
async function allowFiles(knex: Knex): Promise<void> {
  await knex.raw(`grant select (tenant_id, quote_id, pdf_file_id, shown_pdf_sha256) on signatures to ${DISPATCHER}`);
  await knex.raw(`create policy purge_read on signatures for select to ${DISPATCHER} using (true)`);
  const signature = 'select from signatures s where s.tenant_id = files.tenant_id';
  await allowDelete(
    knex,
    'files',
    'tenant_id, id, kind, quote_id, storage_key, sha256, created_at',
    `${DAY_OLD('created_at')} and case kind
       when 'signed_pdf' then not exists (${signature} and s.pdf_file_id = files.id)
       when 'quote_pdf' then not exists
         (${signature} and s.quote_id = files.quote_id and s.shown_pdf_sha256 = files.sha256)
       else false end`,
  );
}

export async function down(knex: Knex): Promise<void> {
  const deleted = ['files', 'mails', 'idempotency_keys', 'sessions', 'one_time_tokens'];
  for (const table of [...deleted, 'outbox_events', 'webhook_deliveries', 'webhook_attempts']) {
    await knex.raw(`drop policy purge on ${table}`);
  }
  for (const table of ['files', 'signatures', 'idempotency_keys', 'sessions', 'one_time_tokens', 'webhook_attempts']) {
    await knex.raw(`drop policy purge_read on ${table}`);
    await knex.raw(`revoke all on ${table} from ${DISPATCHER}`);
  }
  await knex.raw(`revoke select (closed_at, token_id), delete on mails from ${DISPATCHER}`);
  await knex.raw(`revoke delete on outbox_events from ${DISPATCHER}`);
  await knex.raw(
    `revoke update (payload, response_body, bodies_purged_at), delete on webhook_deliveries from ${DISPATCHER}`,
  );
}
