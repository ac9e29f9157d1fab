/**
 * Every refusal by its kind, which is the `code` of the response. A reason is stable and names one refusal; a new one needs
 * a row in docs/guides/errors.md.
 */
export const REASONS = {
  invalid: [
    'invalid_input',
    'invalid_json',
    'json_too_deep',
    'unknown_member',
    'idempotency_key_invalid',
    'host_not_allowed',
    'link_not_valid',
    'quote_expired',
    'client_has_no_email',
    'expiry_not_allowed',
    'selection_not_allowed',
    'tax_codes_not_allowed',
    'total_out_of_range',
    'deposit_not_allowed',
    'next_number_too_low',
    'url_not_callable',
    'signature_image_invalid',
    'file_missing',
    'file_field_wrong',
    'logo_type_not_allowed',
    'logo_not_usable',
    'logo_too_large',
    'attachment_type_not_allowed',
    'attachment_not_usable',
    'import_file_not_usable',
    'export_too_large',
  ],
  invalid_transition: ['status_change_not_allowed', 'quote_is_final', 'attachments_of_sent_quote'],
  unauthenticated: [
    'credentials_missing',
    'api_key_required',
    'api_key_invalid',
    'session_invalid',
    'sign_in_failed',
    'two_factor_code_wrong',
  ],
  two_factor_required: ['two_factor_required'],
  forbidden: ['permission_missing', 'origin_not_allowed'],
  scope_required: ['scope_required'],
  email_unverified: ['email_unverified'],
  registration_closed: ['registration_closed'],
  plan_required: [
    'audit_log_ui_not_in_plan',
    'automations_not_in_plan',
    'collaborators_not_in_plan',
    'connector_not_in_plan',
    'dashboard_not_in_plan',
    'multi_currency_not_in_plan',
    'pdf_branding_not_in_plan',
    'pipeline_not_in_plan',
    'quote_duplication_not_in_plan',
    'quote_versioning_not_in_plan',
    'share_link_not_in_plan',
    'share_with_anyone_not_in_plan',
    'templates_not_in_plan',
    'webhooks_not_in_plan',
  ],
  not_found: [
    'api_key_not_found',
    'attachment_not_found',
    'automation_not_found',
    'business_not_found',
    'client_not_found',
    'collaborator_not_found',
    'delivery_not_found',
    'import_not_found',
    'label_not_found',
    'logo_not_found',
    'notification_not_found',
    'product_not_found',
    'quote_not_found',
    'route_not_found',
    'session_not_found',
    'signature_not_found',
    'template_not_found',
    'webhook_not_found',
  ],
  method_not_allowed: ['method_not_allowed'],
  conflict: [
    'quote_already_answered',
    'quote_version_changed',
    'quote_client_changed',
    'selection_changed',
    'quote_number_taken',
    'email_taken',
    'label_name_taken',
    'last_owner',
    'two_factor_already_enabled',
    'two_factor_not_enabled',
    'two_factor_not_set_up',
    'webhook_inactive',
    'webhook_limit_reached',
    'automation_limit_reached',
    'api_key_limit_reached',
    'attachment_limit_reached',
    'attachments_too_large',
    'attachment_quota_reached',
    'import_running',
  ],
  request_in_progress: ['idempotent_request_in_progress', 'other_share_in_progress'],
  version_mismatch: ['version_mismatch'],
  gone: ['answer_period_over', 'delivery_content_gone'],
  too_large: ['body_too_large', 'url_too_long', 'headers_too_large', 'content_length_missing', 'file_too_large'],
  unsupported_media_type: ['content_type_not_supported', 'charset_not_supported', 'content_encoding_not_supported'],
  unprocessable: ['idempotency_key_reused'],
  rate_limited: [
    'rate_limit_reached',
    'sign_in_throttled',
    'two_factor_locked',
    'verification_limit_reached',
    'mail_quota_reached',
    'message_limit_reached',
    'stream_limit_reached',
    'work_queue_full',
  ],
  mail_failed: ['mail_not_accepted'],
  unreachable: ['endpoint_unreachable'],
  unavailable: ['service_unavailable', 'deadline_exceeded'],
  share_pending: ['share_pending'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The kind of refusal; also the stable `code` of the response. */
export type Refusal = keyof typeof REASONS;

/** The reasons of a kind. */
export type ReasonOf<Kind extends Refusal> = (typeof REASONS)[Kind][number];

/** The stable `reason` of the response. */
export type Reason = ReasonOf<Refusal>;

const KINDS: ReadonlyMap<string, Refusal> = new Map(
  // The keys of the object above.
  (Object.keys(REASONS) as Refusal[]).flatMap((kind) =>
    REASONS[kind].map((reason): [string, Refusal] => [reason, kind]),
  ),
);

/** The kind to which a reason belongs. */
export function kindOf(reason: Reason): Refusal {
  const kind = KINDS.get(reason);
  if (!kind) throw new Error(`${reason} is no reason`);
  return kind;
}

/** The `code` of any reason; undefined for a text that is none. */
export const codeOf = (reason: string): Refusal | undefined => KINDS.get(reason);

/** `code` and `reason` of an unexpected error, which is no refusal. */
export const UNEXPECTED = { code: 'internal', reason: 'internal_error' } as const;
