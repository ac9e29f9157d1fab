import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

// What housekeeping may delete at most: the policies enforce a minimum age, the settings may only be longer.
const DAY_OLD = (column: string) => `${column} < now() - interval '1 day'`;
const RELAY = ROLES.dispatcher;

/** Uses the dispatcher's role, in addition to its other policies. */
export async function up(knex: Knex): Promise<void> {
  // Locks all tables in one statement, in the order of the writers: one after the other, it could deadlock with a
  // writer. If the locks are not free soon it fails, and is run again.
  await knex.raw("set local lock_timeout = '10s'");
  await knex.raw(`lock table idempotency_keys, sessions, one_time_tokens, mails, outbox_events, webhook_deliveries,
    webhook_attempts, files in access exclusive mode`);
  await knex.raw('alter table webhook_deliveries add bodies_purged_at timestamptz');
  // The event's body is immutable; it may only be emptied after the delivery has ended.
  await knex.raw(`create function refuse_new_payload() returns trigger language plpgsql as $$
    begin
      if new.payload is distinct from old.payload and (new.bodies_purged_at is null or old.completed_at is null) then
        raise exception 'the payload of a delivery is frozen' using errcode = 'insufficient_privilege';
      end if;
      return new;
    end $$`);
  await knex.raw(`create trigger frozen_payload before update of payload on webhook_deliveries
    for each row execute function refuse_new_payload()`);
  await knex.raw(`create index webhook_deliveries_with_bodies on webhook_deliveries (completed_at)
    where bodies_purged_at is null and completed_at is not null`);
  await knex.raw('create index webhook_deliveries_completed on webhook_deliveries (completed_at)');
  await knex.raw(`grant update (payload, response_body, bodies_purged_at), delete on webhook_deliveries to ${RELAY}`);
  await restrictDelete(knex, 'webhook_deliveries', DAY_OLD('completed_at'));
  await knex.raw(`grant select (tenant_id, delivery_id, response_body), update (response_body)
    on webhook_attempts to ${RELAY}`);
  await knex.raw(`create policy purge_read on webhook_attempts for select to ${RELAY} using (true)`);
  await knex.raw(`create policy purge on webhook_attempts for update to ${RELAY} using (true)
    with check (response_body is null)`);

  await knex.raw('create index outbox_events_done on outbox_events (created_at) where handed_over_at is not null');
  await knex.raw(`grant delete on outbox_events to ${RELAY}`);
  await restrictDelete(
    knex,
    'outbox_events',
    `planned_at is not null and handed_over_at is not null and ${DAY_OLD('created_at')}`,
  );

  await allowDelete(knex, 'idempotency_keys', 'tenant_id, scope, created_at', DAY_OLD('created_at'));
  await knex.raw('create index sessions_by_expiry on sessions (expires_at)');
  await allowDelete(knex, 'sessions', 'tenant_id, id, expires_at', DAY_OLD('expires_at'));
  await knex.raw('create index one_time_tokens_by_expiry on one_time_tokens (expires_at)');
  await allowDelete(knex, 'one_time_tokens', 'tenant_id, id, expires_at', DAY_OLD('expires_at'));
  await knex.raw('create index mails_closed on mails (closed_at)');
  await knex.raw('create index mails_of_token on mails (tenant_id, token_id)');
  await knex.raw(`grant select (closed_at, token_id), delete on mails to ${RELAY}`);
  await knex.raw(`create policy purge on mails for delete to ${RELAY}
    using (status <> 'PENDING' and ${DAY_OLD('closed_at')})`);

  await allowFiles(knex);
}

/** The role has a permissive policy for all rows of this table, so only a restrictive one limits it. */
async function restrictDelete(knex: Knex, table: string, rows: string): Promise<void> {
  await knex.raw(`create policy purge on ${table} as restrictive for delete to ${RELAY} using (${rows})`);
}

async function allowDelete(knex: Knex, table: string, columns: string, rows: string): Promise<void> {
  await knex.raw(`create policy purge_read on ${table} for select to ${RELAY} using (true)`);
  await knex.raw(`create policy purge on ${table} for delete to ${RELAY} using (${rows})`);
  await knex.raw(`grant select (${columns}), delete on ${table} to ${RELAY}`);
}

/** PDFs without references: never a signed document, nor one shown to a signer. */
async function allowFiles(knex: Knex): Promise<void> {
  await knex.raw(`grant select (tenant_id, quote_id, pdf_file_id, shown_pdf_sha256) on signatures to ${RELAY}`);
  await knex.raw(`create policy purge_read on signatures for select to ${RELAY} using (true)`);
  await knex.raw("create index files_of_quote on files (tenant_id, quote_id, created_at) where kind = 'quote_pdf'");
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
  await knex.raw('drop policy purge on files');
  await knex.raw('drop index files_of_quote');
  await knex.raw('drop policy purge on mails');
  await knex.raw(`revoke select (closed_at, token_id), delete on mails from ${RELAY}`);
  await knex.raw('drop index mails_of_token, mails_closed, one_time_tokens_by_expiry, sessions_by_expiry');
  for (const table of ['idempotency_keys', 'sessions', 'one_time_tokens']) {
    await knex.raw(`drop policy purge on ${table}`);
  }
  for (const table of ['files', 'signatures', 'idempotency_keys', 'sessions', 'one_time_tokens', 'webhook_attempts']) {
    await knex.raw(`drop policy purge_read on ${table}`);
    await knex.raw(`revoke all on ${table} from ${RELAY}`);
  }
  await knex.raw('drop policy purge on outbox_events');
  await knex.raw(`revoke delete on outbox_events from ${RELAY}`);
  await knex.raw('drop index outbox_events_done');
  await knex.raw('drop policy purge on webhook_attempts');
  await knex.raw('drop policy purge on webhook_deliveries');
  await knex.raw(
    `revoke update (payload, response_body, bodies_purged_at), delete on webhook_deliveries from ${RELAY}`,
  );
  await knex.raw('drop index webhook_deliveries_completed, webhook_deliveries_with_bodies');
  await knex.raw('drop trigger frozen_payload on webhook_deliveries');
  await knex.raw('drop function refuse_new_payload()');
  await knex.raw('alter table webhook_deliveries drop bodies_purged_at');
}
