import assert from 'node:assert/strict';
import type { ExpiryReminder } from '../../db/models/expiry-reminder.ts';
import type { FollowUp } from '../../db/models/follow-up.ts';
import type { Import } from '../../db/models/import.ts';
import type { Mail } from '../../db/models/mail.ts';
import type { OneTimeToken } from '../../db/models/one-time-token.ts';
import type { QuoteShare } from '../../db/models/quote-share.ts';
import type { Reminder } from '../../db/models/reminder.ts';
import type { Signature } from '../../db/models/signature.ts';
import type { StoredFile } from '../../db/models/stored-file.ts';
import { ATTACHMENT_TYPES } from '../../domain/attachments.ts';
import { AUTOMATION_LOG_STATUSES, TRIGGERS } from '../../domain/automation.ts';
import { KEY_SCOPES } from '../../domain/caller.ts';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { IMPORT_KINDS, IMPORT_STATUSES, ON_DUPLICATE } from '../../domain/imports.ts';
import { LOCALES } from '../../domain/locale.ts';
import { MESSAGE_DIRECTIONS } from '../../domain/messages.ts';
import { NOTIFICATION_TYPES } from '../../domain/notifications.ts';
import { ONBOARDING_STEPS } from '../../domain/onboarding.ts';
import { DELIVERY_STATUSES, NO_ANSWER } from '../../domain/http-delivery.ts';
import { PAPER_SIZES } from '../../domain/paper.ts';
import { ROLES } from '../../domain/permissions.ts';
import { PLANS } from '../../domain/plans.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { SECURITY_MAIL_KINDS } from '../../domain/security-mail.ts';
import { rowsOf } from './database.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';

/** All members of a union: one that is left out does not compile. */
const all = <Value extends string>(values: Readonly<Record<Value, true>>): readonly string[] => Object.keys(values);

/** The list of the domain that each check constraint repeats. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  api_keys_scope: KEY_SCOPES,
  automation_logs_status: AUTOMATION_LOG_STATUSES,
  automations_trigger: TRIGGERS,
  clients_locale_check: LOCALES,
  expiry_reminders_mail: all<NonNullable<ExpiryReminder['mail']>>({
    PENDING: true,
    SENT: true,
    FAILED: true,
    SKIPPED: true,
  }),
  follow_ups_mail: all<NonNullable<FollowUp['mail']>>({ PENDING: true, SENT: true, FAILED: true, SKIPPED: true }),
  files_kind: all<StoredFile['kind']>({ quote_pdf: true, signed_pdf: true, logo: true, attachment: true }),
  imports_actor: all<Import['actor']>({ user: true, key: true }),
  imports_kind: IMPORT_KINDS,
  imports_on_duplicate: ON_DUPLICATE,
  imports_status: IMPORT_STATUSES,
  mails_details: SECURITY_MAIL_KINDS,
  mails_kind: all<Mail['kind']>({
    invitation: true,
    password_reset: true,
    email_verification: true,
    answer_member: true,
    answer_signer: true,
    change_request: true,
    quote_message: true,
    api_key_created: true,
    password_changed: true,
    two_factor_disabled: true,
    recovery_code_used: true,
    owner_added: true,
  }),
  mails_status: all<Mail['status']>({ PENDING: true, SENT: true, FAILED: true }),
  notifications_type: NOTIFICATION_TYPES,
  onboarding_steps_name: ONBOARDING_STEPS,
  one_time_tokens_kind: all<OneTimeToken['kind']>({ invitation: true, password_reset: true, email_verification: true }),
  quote_attachments_content_type: ATTACHMENT_TYPES,
  quote_shares_status: all<QuoteShare['status']>({ PENDING: true, SENT: true, FAILED: true }),
  quote_messages_direction: MESSAGE_DIRECTIONS,
  quotes_status: QUOTE_STATUSES,
  reminders_status: all<Reminder['status']>({ PENDING: true, FIRED: true, CANCELLED: true }),
  signatures_consent_locale_check: LOCALES,
  signatures_type: all<Signature['type']>({ drawn: true, typed: true }),
  tenants_locale_check: LOCALES,
  tenants_paper_size_check: PAPER_SIZES,
  tenants_plan: PLANS,
  tenants_plan_when_enabled: PLANS,
  users_role: ROLES,
  webhook_attempts_error_code: NO_ANSWER,
  webhook_deliveries_error_code: NO_ANSWER,
  webhook_deliveries_status: DELIVERY_STATUSES,
  webhooks_events: SUBSCRIBABLE_EVENTS,
};

describe('check constraints with a list of values', () => {
  // Other tests of this folder drop the checks of the shared database.
  let db: SeparateDatabase;
  let constraints: readonly { name: string; allowed: readonly string[] }[];

  before(async () => {
    db = await separateDatabase();
    constraints = await rowsOf(
      db.owner,
      `select conname as name,
              array(select m[1] from regexp_matches(pg_get_constraintdef(oid), '''([^'']*)''::text', 'g') as m) as allowed
         from pg_constraint
        where contype = 'c' and conrelid <> 0 and pg_get_constraintdef(oid) ~ 'ARRAY\\['
          and connamespace = 'public'::regnamespace
        order by conname`,
    );
  });

  after(() => db?.stop());

  it('all repeat a list of the domain', () => {
    assert.deepEqual(
      constraints.map(({ name }) => name),
      Object.keys(LISTS).toSorted(),
    );
  });

  it('allow every value of that list', () => {
    const refused = constraints.flatMap(({ name, allowed }) =>
      (LISTS[name] ?? []).filter((value) => !allowed.includes(value)).map((value) => `${name}: ${value}`),
    );

    assert.deepEqual(refused, []);
  });
});
