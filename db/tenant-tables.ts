/**
 * Every table with rows of a tenant, in an order in which they can be deleted: those that refer before those that they
 * refer to. What leaves with an export is named column by column; a test fails for a table or column that is not here.
 */

export interface TenantTable {
  readonly name: string;
  /** The columns of its primary key, by which an export is sorted. */
  readonly key: readonly string[];
  readonly exported: readonly string[];
  /** Columns that an export leaves out: hashes, sealed secrets, and what only a running process needs. */
  readonly withheld: readonly string[];
  /** Columns that are exported as this SQL, without the secrets in them. */
  readonly redacted: Readonly<Record<string, string>>;
}

/** Actions of automations, without the values of the headers of calls: they authenticate at other services. */
const WITHOUT_HEADER_VALUES = `(
  select coalesce(json_agg(case when action -> 'headers' is null then action else jsonb_set(action, '{headers}',
           (select coalesce(jsonb_agg(name), '[]') from jsonb_object_keys(action -> 'headers') as name)) end order by n), '[]')::text
    from jsonb_array_elements(actions::jsonb) with ordinality as a (action, n))`;

const table = (
  name: string,
  key: string,
  exported: string,
  { withheld = '', redacted = {} }: { withheld?: string; redacted?: Readonly<Record<string, string>> } = {},
): TenantTable => ({ name, key: words(key), exported: words(exported), withheld: words(withheld), redacted });

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

export const TENANT_TABLES: readonly TenantTable[] = [
  table(
    'api_keys',
    'id',
    'id tenant_id user_id name prefix last4 last_used_at revoked_at created_at scope expires_at last_used_ip',
    { withheld: 'hash' },
  ),
  table('audit_heads', 'tenant_id', 'tenant_id number hash'),
  table(
    'audit_logs',
    'tenant_id created_at id',
    'id tenant_id user_id actor action entity entity_id metadata request_id created_at',
  ),
  table('audit_seals', 'tenant_id number', 'tenant_id number until_at entries previous_hash hash sealed_at'),
  table(
    'automation_steps',
    'tenant_id log_id action_index part',
    'tenant_id log_id action_index part started_at done_at attempts',
  ),
  table('event_counters', 'tenant_id', 'tenant_id last_number'),
  table(
    'expiry_reminders',
    'tenant_id quote_id version',
    'tenant_id quote_id version expires_at reminder_days remind_at reminded_at mail announced_at time_zone',
  ),
  table('follow_ups', 'tenant_id quote_id version day', 'tenant_id quote_id version day due_at claimed_at mail'),
  // The answers to requests, for repetitions within a day.
  table('idempotency_keys', 'tenant_id scope', '', {
    withheld: 'tenant_id scope fingerprint attempt_id answer_sealed started_at created_at',
  }),
  table(
    'imports',
    'id',
    `id tenant_id user_id actor request_id kind status is_dry_run on_duplicate total done created skipped
     problems created_at completed_at`,
    { withheld: 'content' },
  ),
  table('mail_counts', 'tenant_id hour', 'tenant_id hour mails'),
  table(
    'mails',
    'id',
    'id tenant_id kind user_id token_id status failure created_at closed_at quote_id message_id details',
    { withheld: 'token_sealed' },
  ),
  table('notifications', 'id', 'id tenant_id user_id type title body metadata event_id read_at created_at'),
  table('onboarding_steps', 'tenant_id name', 'tenant_id name completed_at'),
  table(
    'outbox_events',
    'id',
    `id tenant_id sequence type quote_id payload root_event_id depth automation_path request_id traceparent
     created_at dispatched_at dispatch_failures dispatch_after fanned_out_at fan_out_after`,
  ),
  table(
    'quote_attachments',
    'id',
    `id tenant_id quote_id file_id position name content_type size_bytes sha256 from_version until_version
     created_at`,
  ),
  table('quote_counters', 'tenant_id', 'tenant_id last_number skipped_numbers'),
  table(
    'quote_items',
    'tenant_id quote_id position',
    `id tenant_id quote_id position product_id product_name model unit_price quantity discount_pct subtotal
     description section unit taxes optional choice counts`,
  ),
  table('quote_labels', 'tenant_id quote_id label_id', 'tenant_id quote_id label_id created_at'),
  table('quote_metadata', 'tenant_id quote_id name', 'tenant_id quote_id name value'),
  table(
    'quote_shares',
    'id',
    'id tenant_id quote_id client_id recipients message status rejected created_at closed_at',
  ),
  table('quote_versions', 'id', 'id tenant_id quote_id version snapshot user_id created_at'),
  table('quote_views', 'tenant_id quote_id viewer', 'tenant_id quote_id viewer counted_at'),
  table('recovery_codes', 'id', 'id tenant_id user_id used_at created_at', { withheld: 'hash' }),
  table(
    'reminders',
    'id',
    `id tenant_id quote_id user_id automation_id message due_at status fired_at created_at log_id
     action_index`,
  ),
  table('sessions', 'id', 'id tenant_id user_id created_at expires_at revoked_at last_seen_at ip user_agent'),
  table(
    'signatures',
    'id',
    `id tenant_id quote_id type data signer_name signer_email signed_at version snapshot_sha256 pdf_sha256
     consent_text ip user_agent snapshot pdf_file_id shown_pdf_sha256 look typed_text consent_locale
     selection`,
  ),
  table(
    'templates',
    'id',
    `id tenant_id user_id name description items notes shipping_cost currency is_active created_at updated_at
     document`,
  ),
  table(
    'two_factors',
    'tenant_id user_id',
    'tenant_id user_id enabled_at last_step failures failures_since created_at',
    { withheld: 'secret_sealed' },
  ),
  table(
    'webhook_attempts',
    'id',
    'id tenant_id delivery_id number status_code response_body error_code duration_ms started_at finished_at',
    { withheld: 'claim_token' },
  ),
  table(
    'automation_logs',
    'id',
    `id tenant_id automation_id quote_id event_id status conditions actions delay_minutes error triggered_at
     completed_at dispatched_at dispatch_failures dispatch_after`,
    { redacted: { actions: WITHOUT_HEADER_VALUES } },
  ),
  table('files', 'id', 'id tenant_id kind quote_id storage_key content_type size_bytes sha256 created_at'),
  table('labels', 'id', 'id tenant_id name color created_at'),
  table('one_time_tokens', 'id', 'id tenant_id user_id kind expires_at used_at created_at', { withheld: 'hash' }),
  table(
    'products',
    'id',
    `id tenant_id name model_sku description unit_price currency is_active created_at updated_at unit taxes
     revision`,
  ),
  table(
    'quote_messages',
    'id',
    'id tenant_id quote_id direction user_id author_name author_email body version created_at',
  ),
  table(
    'webhook_deliveries',
    'id',
    `id tenant_id webhook_id event event_id replay sequence payload status status_code response_body
     error_code delivered_at completed_at created_at dispatched_at dispatch_failures dispatch_after due_at
     bodies_purged_at`,
  ),
  table(
    'automations',
    'id',
    'id tenant_id name trigger is_active conditions actions delay_minutes created_at updated_at',
    { redacted: { actions: WITHOUT_HEADER_VALUES } },
  ),
  table(
    'quotes',
    'id',
    `id tenant_id quote_number version status client_id client_contact_name client_company_name user_id
     currency tax_rate subtotal tax shipping_cost total notes expires_at view_count created_at updated_at
     answered_at rejection_reason former_client_names link_withheld taxes shipping_taxes discount_pct
     discount title reference terms internal_notes deposit metadata display_number signer_name signer_email
     announced_expiry shared_at shared_version share_id reminders_stopped_at revision changed_at`,
    { withheld: 'public_token_hash public_token_sealed' },
  ),
  table(
    'webhooks',
    'id',
    `id tenant_id url events secret_last4 previous_valid_until is_active failing_since created_at updated_at
     consecutive_failures next_probe_at next_slot_at`,
    { withheld: 'secret_sealed previous_secret_sealed' },
  ),
  table(
    'clients',
    'id',
    `id tenant_id contact_name company_name email phone tax_id address notes is_active created_at updated_at
     country locale contacts revision`,
  ),
  table(
    'users',
    'id',
    `id tenant_id email name role is_active last_login_at created_at updated_at invited_at accepted_at
     known_networks email_verified_at`,
    { withheld: 'password_hash' },
  ),
  table(
    'tenants',
    'id',
    `id slug company_name email phone address plan tax_rate currency quote_validity_days reminder_days_before
     default_notes created_at updated_at logo_key bank_info pdf_branding reschedule_event_id time_zone
     country legal_name tax_id paper_size locale taxes default_terms number_format notify_on_answer
     follow_up_days revision is_verified disabled_at plan_when_enabled`,
  ),
];
