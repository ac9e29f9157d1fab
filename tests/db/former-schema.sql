-- Schema and bookkeeping of commit 9fa9f9a, whose 37 migrations the baseline in db/migrations replaces: pg_dump --schema-only of a
-- fresh database, without comments and empty lines. tests/db/former-database.ts loads it.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
COMMENT ON EXTENSION btree_gin IS 'support for indexing common datatypes in GIN';
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';
CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public;
COMMENT ON EXTENSION unaccent IS 'text search dictionary that removes accents';
CREATE FUNCTION public.find_api_key(key_hash text) RETURNS TABLE(tenant_id text, api_key_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select k.tenant_id, k.id from public.api_keys k where k.hash = key_hash and k.revoked_at is null $$;
ALTER FUNCTION public.find_api_key(key_hash text) OWNER TO quoting_lookup;
CREATE FUNCTION public.find_clients_by_name(pattern text) RETURNS TABLE(client_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select c.id from public.clients c where c.tenant_id = current_setting('app.tenant_id', true)
     and (public.search_text(c.contact_name) like pattern escape '\'
       or public.search_text(c.company_name) like pattern escape '\') $$;
ALTER FUNCTION public.find_clients_by_name(pattern text) OWNER TO quoting_lookup;
CREATE FUNCTION public.find_clients_by_text(pattern text) RETURNS TABLE(client_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select c.id from public.clients c where c.tenant_id = current_setting('app.tenant_id', true)
     and (public.search_text(c.contact_name) like pattern escape '\'
       or public.search_text(c.company_name) like pattern escape '\'
       or public.search_text(c.email) like pattern escape '\') $$;
ALTER FUNCTION public.find_clients_by_text(pattern text) OWNER TO quoting_lookup;
CREATE FUNCTION public.find_one_time_token(token_hash text) RETURNS TABLE(tenant_id text, token_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select o.tenant_id, o.id from public.one_time_tokens o where o.hash = token_hash $$;
ALTER FUNCTION public.find_one_time_token(token_hash text) OWNER TO quoting_lookup;
CREATE FUNCTION public.find_quote_by_token(token_hash text) RETURNS TABLE(tenant_id text, quote_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select q.tenant_id, q.id from public.quotes q where q.public_token_hash = token_hash $$;
ALTER FUNCTION public.find_quote_by_token(token_hash text) OWNER TO quoting_lookup;
CREATE FUNCTION public.find_user_by_email(address text) RETURNS TABLE(tenant_id text, user_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select u.tenant_id, u.id from public.users u where lower(u.email) = lower(address) $$;
ALTER FUNCTION public.find_user_by_email(address text) OWNER TO quoting_lookup;
CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege'; end $$;
ALTER FUNCTION public.refuse_change() OWNER TO quoting_owner;
CREATE FUNCTION public.refuse_new_payload() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if new.payload is distinct from old.payload and (new.bodies_purged_at is null or old.completed_at is null) then
        raise exception 'the payload of a delivery is frozen' using errcode = 'insufficient_privilege';
      end if;
      return new;
    end $$;
ALTER FUNCTION public.refuse_new_payload() OWNER TO quoting_owner;
CREATE FUNCTION public.search_text(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select lower(public.unaccent('public.unaccent'::regdictionary, value)) $$;
ALTER FUNCTION public.search_text(value text) OWNER TO quoting_owner;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.api_keys (
    id text NOT NULL,
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    prefix text NOT NULL,
    last4 text NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
ALTER TABLE ONLY public.api_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE public.api_keys OWNER TO quoting_owner;
CREATE TABLE public.audit_heads (
    tenant_id text NOT NULL,
    number integer NOT NULL,
    hash text NOT NULL
);
ALTER TABLE ONLY public.audit_heads FORCE ROW LEVEL SECURITY;
ALTER TABLE public.audit_heads OWNER TO quoting_owner;
CREATE TABLE public.audit_logs (
    id text NOT NULL,
    tenant_id text NOT NULL,
    user_id text,
    actor text NOT NULL,
    action text NOT NULL,
    entity text NOT NULL,
    entity_id text NOT NULL,
    metadata text NOT NULL,
    request_id text,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
ALTER TABLE ONLY public.audit_logs FORCE ROW LEVEL SECURITY;
ALTER TABLE public.audit_logs OWNER TO quoting_owner;
CREATE TABLE public.audit_seals (
    tenant_id text NOT NULL,
    number integer NOT NULL,
    until_at timestamp with time zone NOT NULL,
    entries integer NOT NULL,
    previous_hash text NOT NULL,
    hash text NOT NULL,
    sealed_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT audit_seals_hashes CHECK (((hash ~ '^[0-9a-f]{64}$'::text) AND (previous_hash ~ '^[0-9a-f]{64}$'::text))),
    CONSTRAINT audit_seals_numbers CHECK (((number >= 1) AND (entries >= 1)))
);
ALTER TABLE ONLY public.audit_seals FORCE ROW LEVEL SECURITY;
ALTER TABLE public.audit_seals OWNER TO quoting_owner;
CREATE TABLE public.automation_logs (
    id text NOT NULL,
    tenant_id text NOT NULL,
    automation_id text NOT NULL,
    quote_id text NOT NULL,
    event_id text NOT NULL,
    status text DEFAULT 'TRIGGERED'::text NOT NULL,
    conditions text NOT NULL,
    actions text NOT NULL,
    delay_minutes integer NOT NULL,
    error text,
    triggered_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    completed_at timestamp with time zone,
    handed_over_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT automation_logs_completed CHECK (((status = 'TRIGGERED'::text) = (completed_at IS NULL))),
    CONSTRAINT automation_logs_status CHECK ((status = ANY (ARRAY['TRIGGERED'::text, 'COMPLETED'::text, 'FAILED'::text])))
);
ALTER TABLE ONLY public.automation_logs FORCE ROW LEVEL SECURITY;
ALTER TABLE public.automation_logs OWNER TO quoting_owner;
CREATE TABLE public.automation_steps (
    tenant_id text NOT NULL,
    log_id text NOT NULL,
    action_index integer NOT NULL,
    part text DEFAULT ''::text NOT NULL,
    started_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    done_at timestamp with time zone
);
ALTER TABLE ONLY public.automation_steps FORCE ROW LEVEL SECURITY;
ALTER TABLE public.automation_steps OWNER TO quoting_owner;
CREATE TABLE public.automations (
    id text NOT NULL,
    tenant_id text NOT NULL,
    name text NOT NULL,
    trigger text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    conditions text NOT NULL,
    actions text NOT NULL,
    delay_minutes integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT automations_delay CHECK (((delay_minutes >= 0) AND (delay_minutes <= 525600))),
    CONSTRAINT automations_trigger CHECK ((trigger = ANY (ARRAY['QUOTE_CREATED'::text, 'QUOTE_SENT'::text, 'QUOTE_VIEWED'::text, 'QUOTE_ACCEPTED'::text, 'QUOTE_REJECTED'::text, 'QUOTE_WON'::text, 'QUOTE_LOST'::text, 'QUOTE_EXPIRING'::text])))
);
ALTER TABLE ONLY public.automations FORCE ROW LEVEL SECURITY;
ALTER TABLE public.automations OWNER TO quoting_owner;
CREATE TABLE public.clients (
    id text NOT NULL,
    tenant_id text NOT NULL,
    contact_name text NOT NULL,
    company_name text,
    email text,
    phone text,
    tax_id text,
    address text,
    notes text,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
ALTER TABLE ONLY public.clients FORCE ROW LEVEL SECURITY;
ALTER TABLE public.clients OWNER TO quoting_owner;
CREATE TABLE public.event_counters (
    tenant_id text NOT NULL,
    last_number bigint DEFAULT '0'::bigint NOT NULL
);
ALTER TABLE ONLY public.event_counters FORCE ROW LEVEL SECURITY;
ALTER TABLE public.event_counters OWNER TO quoting_owner;
CREATE TABLE public.expiry_reminders (
    tenant_id text NOT NULL,
    quote_id text NOT NULL,
    version integer NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    reminder_days integer NOT NULL,
    remind_at timestamp with time zone,
    reminded_at timestamp with time zone,
    mail text,
    announced_at timestamp with time zone,
    CONSTRAINT expiry_reminders_mail CHECK ((mail = ANY (ARRAY['PENDING'::text, 'SENT'::text, 'FAILED'::text, 'SKIPPED'::text]))),
    CONSTRAINT expiry_reminders_reminded CHECK (((mail IS NULL) = (reminded_at IS NULL)))
);
ALTER TABLE ONLY public.expiry_reminders FORCE ROW LEVEL SECURITY;
ALTER TABLE public.expiry_reminders OWNER TO quoting_owner;
CREATE TABLE public.files (
    id text NOT NULL,
    tenant_id text NOT NULL,
    kind text NOT NULL,
    quote_id text,
    storage_key text NOT NULL,
    content_type text NOT NULL,
    size_bytes integer NOT NULL,
    sha256 text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT files_kind CHECK ((kind = ANY (ARRAY['quote_pdf'::text, 'signed_pdf'::text, 'logo'::text]))),
    CONSTRAINT files_own_folder CHECK ((storage_key ~~ (('t/'::text || tenant_id) || '/%'::text)))
);
ALTER TABLE ONLY public.files FORCE ROW LEVEL SECURITY;
ALTER TABLE public.files OWNER TO quoting_owner;
CREATE TABLE public.idempotency_keys (
    tenant_id text NOT NULL,
    scope text NOT NULL,
    fingerprint text NOT NULL,
    attempt_id text NOT NULL,
    answer_sealed text,
    started_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
ALTER TABLE ONLY public.idempotency_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency_keys OWNER TO quoting_owner;
CREATE TABLE public.knex_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);
ALTER TABLE public.knex_migrations OWNER TO quoting_owner;
CREATE SEQUENCE public.knex_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE public.knex_migrations_id_seq OWNER TO quoting_owner;
ALTER SEQUENCE public.knex_migrations_id_seq OWNED BY public.knex_migrations.id;
CREATE TABLE public.knex_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);
ALTER TABLE public.knex_migrations_lock OWNER TO quoting_owner;
CREATE SEQUENCE public.knex_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE public.knex_migrations_lock_index_seq OWNER TO quoting_owner;
ALTER SEQUENCE public.knex_migrations_lock_index_seq OWNED BY public.knex_migrations_lock.index;
CREATE TABLE public.labels (
    id text NOT NULL,
    tenant_id text NOT NULL,
    name text NOT NULL,
    color text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT labels_color CHECK ((color ~ '^#[0-9a-f]{6}$'::text))
);
ALTER TABLE ONLY public.labels FORCE ROW LEVEL SECURITY;
ALTER TABLE public.labels OWNER TO quoting_owner;
CREATE TABLE public.mail_counts (
    tenant_id text NOT NULL,
    hour timestamp with time zone NOT NULL,
    mails integer NOT NULL
);
ALTER TABLE ONLY public.mail_counts FORCE ROW LEVEL SECURITY;
ALTER TABLE public.mail_counts OWNER TO quoting_owner;
CREATE TABLE public.mails (
    id text NOT NULL,
    tenant_id text NOT NULL,
    kind text NOT NULL,
    user_id text NOT NULL,
    token_id text NOT NULL,
    token_sealed text,
    status text DEFAULT 'PENDING'::text NOT NULL,
    failure text,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    closed_at timestamp with time zone,
    CONSTRAINT mails_closed CHECK (((status = 'PENDING'::text) = (closed_at IS NULL))),
    CONSTRAINT mails_kind CHECK ((kind = ANY (ARRAY['invitation'::text, 'password_reset'::text]))),
    CONSTRAINT mails_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'SENT'::text, 'FAILED'::text]))),
    CONSTRAINT mails_token CHECK (((status = 'PENDING'::text) = (token_sealed IS NOT NULL)))
);
ALTER TABLE ONLY public.mails FORCE ROW LEVEL SECURITY;
ALTER TABLE public.mails OWNER TO quoting_owner;
CREATE TABLE public.notifications (
    id text NOT NULL,
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    type text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    metadata text DEFAULT '{}'::text NOT NULL,
    event_id text NOT NULL,
    read_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT notifications_type CHECK ((type = ANY (ARRAY['quote_won'::text, 'quote_lost'::text, 'quote_accepted'::text, 'quote_rejected'::text, 'quote_viewed'::text, 'quote_expiring'::text, 'reminder'::text, 'automation'::text, 'webhook_disabled'::text])))
);
ALTER TABLE ONLY public.notifications FORCE ROW LEVEL SECURITY;
ALTER TABLE public.notifications OWNER TO quoting_owner;
CREATE TABLE public.onboarding_steps (
    tenant_id text NOT NULL,
    name text NOT NULL,
    completed_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT onboarding_steps_name CHECK ((name = ANY (ARRAY['company_info'::text, 'first_quote'::text])))
);
ALTER TABLE ONLY public.onboarding_steps FORCE ROW LEVEL SECURITY;
ALTER TABLE public.onboarding_steps OWNER TO quoting_owner;
CREATE TABLE public.one_time_tokens (
    id text NOT NULL,
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    kind text NOT NULL,
    hash text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT one_time_tokens_kind CHECK ((kind = ANY (ARRAY['invitation'::text, 'password_reset'::text])))
);
ALTER TABLE ONLY public.one_time_tokens FORCE ROW LEVEL SECURITY;
ALTER TABLE public.one_time_tokens OWNER TO quoting_owner;
CREATE TABLE public.outbox_events (
    id text NOT NULL,
    tenant_id text NOT NULL,
    sequence bigint NOT NULL,
    type text NOT NULL,
    quote_id text,
    payload text NOT NULL,
    root_event_id text NOT NULL,
    depth integer DEFAULT 0 NOT NULL,
    automation_path text DEFAULT ''::text NOT NULL,
    request_id text,
    traceparent text,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    handed_over_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    planned_at timestamp with time zone,
    next_plan_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.outbox_events FORCE ROW LEVEL SECURITY;
ALTER TABLE public.outbox_events OWNER TO quoting_owner;
ALTER TABLE public.outbox_events ALTER COLUMN sequence ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_events_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.products (
    id text NOT NULL,
    tenant_id text NOT NULL,
    name text NOT NULL,
    model_sku text,
    description text,
    unit_price numeric(15,6) NOT NULL,
    currency text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT products_unit_price CHECK ((unit_price >= (0)::numeric))
);
ALTER TABLE ONLY public.products FORCE ROW LEVEL SECURITY;
ALTER TABLE public.products OWNER TO quoting_owner;
CREATE TABLE public.quote_counters (
    tenant_id text NOT NULL,
    last_number integer DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY public.quote_counters FORCE ROW LEVEL SECURITY;
ALTER TABLE public.quote_counters OWNER TO quoting_owner;
CREATE TABLE public.quote_items (
    id text NOT NULL,
    tenant_id text NOT NULL,
    quote_id text NOT NULL,
    "position" integer NOT NULL,
    product_id text,
    product_name text NOT NULL,
    model text,
    unit_price numeric(15,6) NOT NULL,
    quantity integer NOT NULL,
    discount_pct numeric(7,4) DEFAULT '0'::numeric NOT NULL,
    subtotal numeric(18,3) NOT NULL,
    CONSTRAINT quote_items_discount CHECK (((discount_pct >= (0)::numeric) AND (discount_pct <= (100)::numeric))),
    CONSTRAINT quote_items_quantity CHECK ((quantity >= 1)),
    CONSTRAINT quote_items_unit_price CHECK ((unit_price >= (0)::numeric))
);
ALTER TABLE ONLY public.quote_items FORCE ROW LEVEL SECURITY;
ALTER TABLE public.quote_items OWNER TO quoting_owner;
CREATE TABLE public.quote_labels (
    tenant_id text NOT NULL,
    quote_id text NOT NULL,
    label_id text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
ALTER TABLE ONLY public.quote_labels FORCE ROW LEVEL SECURITY;
ALTER TABLE public.quote_labels OWNER TO quoting_owner;
CREATE TABLE public.quote_versions (
    id text NOT NULL,
    tenant_id text NOT NULL,
    quote_id text NOT NULL,
    version integer NOT NULL,
    snapshot text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT quote_versions_version CHECK ((version >= 1))
);
ALTER TABLE ONLY public.quote_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE public.quote_versions OWNER TO quoting_owner;
CREATE TABLE public.quotes (
    id text NOT NULL,
    tenant_id text NOT NULL,
    quote_number integer NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    status text DEFAULT 'GENERATED'::text NOT NULL,
    client_id text NOT NULL,
    client_contact_name text NOT NULL,
    client_company_name text,
    user_id text NOT NULL,
    currency text NOT NULL,
    tax_rate numeric(5,4) NOT NULL,
    subtotal numeric(18,3) NOT NULL,
    tax numeric(18,3) NOT NULL,
    shipping_cost numeric(18,3) NOT NULL,
    total numeric(18,3) NOT NULL,
    notes text DEFAULT ''::text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    public_token_hash text NOT NULL,
    public_token_sealed text NOT NULL,
    view_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    answered_at timestamp with time zone,
    rejection_reason text,
    CONSTRAINT quotes_status CHECK ((status = ANY (ARRAY['GENERATED'::text, 'SENT'::text, 'WON'::text, 'LOST'::text, 'ACCEPTED'::text, 'REJECTED'::text]))),
    CONSTRAINT quotes_total CHECK ((total = ((subtotal + tax) + shipping_cost)))
);
ALTER TABLE ONLY public.quotes FORCE ROW LEVEL SECURITY;
ALTER TABLE public.quotes OWNER TO quoting_owner;
CREATE TABLE public.reminders (
    id text NOT NULL,
    tenant_id text NOT NULL,
    quote_id text NOT NULL,
    user_id text NOT NULL,
    automation_id text,
    message text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    fired_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    log_id text,
    action_index integer,
    CONSTRAINT reminders_fired CHECK (((fired_at IS NOT NULL) = (status = 'FIRED'::text))),
    CONSTRAINT reminders_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'FIRED'::text, 'CANCELLED'::text])))
);
ALTER TABLE ONLY public.reminders FORCE ROW LEVEL SECURITY;
ALTER TABLE public.reminders OWNER TO quoting_owner;
CREATE TABLE public.sessions (
    id text NOT NULL,
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);
ALTER TABLE ONLY public.sessions FORCE ROW LEVEL SECURITY;
ALTER TABLE public.sessions OWNER TO quoting_owner;
CREATE TABLE public.signatures (
    id text NOT NULL,
    tenant_id text NOT NULL,
    quote_id text NOT NULL,
    type text NOT NULL,
    data text,
    signer_name text NOT NULL,
    signer_email text NOT NULL,
    signed_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    version integer NOT NULL,
    snapshot_sha256 text NOT NULL,
    pdf_sha256 text NOT NULL,
    consent_text text NOT NULL,
    ip text NOT NULL,
    user_agent text NOT NULL,
    snapshot text NOT NULL,
    pdf_file_id text NOT NULL,
    shown_pdf_sha256 text,
    CONSTRAINT signatures_shown_pdf_sha256 CHECK ((shown_pdf_sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT signatures_type CHECK ((type = ANY (ARRAY['drawn'::text, 'typed'::text])))
);
ALTER TABLE ONLY public.signatures FORCE ROW LEVEL SECURITY;
ALTER TABLE public.signatures OWNER TO quoting_owner;
CREATE TABLE public.templates (
    id text NOT NULL,
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    description text,
    items text NOT NULL,
    notes text,
    shipping_cost numeric(18,3) DEFAULT '0'::numeric NOT NULL,
    currency text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT templates_shipping_cost CHECK ((shipping_cost >= (0)::numeric))
);
ALTER TABLE ONLY public.templates FORCE ROW LEVEL SECURITY;
ALTER TABLE public.templates OWNER TO quoting_owner;
CREATE TABLE public.tenants (
    id text NOT NULL,
    slug text NOT NULL,
    company_name text NOT NULL,
    email text,
    phone text,
    address text,
    plan text NOT NULL,
    tax_rate numeric(5,4),
    currency text DEFAULT 'MXN'::text NOT NULL,
    quote_validity_days integer DEFAULT 15 NOT NULL,
    reminder_days_before integer DEFAULT 3 NOT NULL,
    default_notes text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    logo_key text,
    bank_info text,
    pdf_branding text,
    CONSTRAINT tenants_own_logo CHECK ((logo_key ~~ (('t/'::text || id) || '/logo/%'::text))),
    CONSTRAINT tenants_plan CHECK ((plan = ANY (ARRAY['FREE'::text, 'PRO'::text]))),
    CONSTRAINT tenants_reminder CHECK (((reminder_days_before >= 1) AND (reminder_days_before <= 30))),
    CONSTRAINT tenants_tax_rate CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (1)::numeric))),
    CONSTRAINT tenants_validity CHECK (((quote_validity_days >= 1) AND (quote_validity_days <= 365)))
);
ALTER TABLE ONLY public.tenants FORCE ROW LEVEL SECURITY;
ALTER TABLE public.tenants OWNER TO quoting_owner;
CREATE TABLE public.users (
    id text NOT NULL,
    tenant_id text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password_hash text,
    is_active boolean DEFAULT true NOT NULL,
    last_login_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    invited_at timestamp with time zone,
    accepted_at timestamp with time zone,
    CONSTRAINT users_role CHECK ((role = ANY (ARRAY['OWNER'::text, 'COLLABORATOR'::text])))
);
ALTER TABLE ONLY public.users FORCE ROW LEVEL SECURITY;
ALTER TABLE public.users OWNER TO quoting_owner;
CREATE TABLE public.webhook_attempts (
    id text NOT NULL,
    tenant_id text NOT NULL,
    delivery_id text NOT NULL,
    number integer NOT NULL,
    claim_token text NOT NULL,
    status_code integer,
    response_body text,
    error_code text,
    duration_ms integer,
    started_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT webhook_attempts_error_code CHECK ((error_code = ANY (ARRAY['dns'::text, 'refused'::text, 'reset'::text, 'timeout'::text, 'tls'::text, 'blocked_address'::text, 'protocol'::text, 'unreachable'::text]))),
    CONSTRAINT webhook_attempts_number CHECK ((number >= 1))
);
ALTER TABLE ONLY public.webhook_attempts FORCE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_attempts OWNER TO quoting_owner;
CREATE TABLE public.webhook_deliveries (
    id text NOT NULL,
    tenant_id text NOT NULL,
    webhook_id text NOT NULL,
    event text NOT NULL,
    event_id text NOT NULL,
    replay integer DEFAULT 0 NOT NULL,
    sequence bigint,
    payload text NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    status_code integer,
    response_body text,
    error_code text,
    delivered_at timestamp with time zone,
    completed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    handed_over_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    due_at timestamp with time zone,
    bodies_purged_at timestamp with time zone,
    batch_id text,
    left_batch_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_completed CHECK (((status = 'PENDING'::text) = (completed_at IS NULL))),
    CONSTRAINT webhook_deliveries_delivered CHECK (((status = 'DELIVERED'::text) = (delivered_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_error_code CHECK ((error_code = ANY (ARRAY['dns'::text, 'refused'::text, 'reset'::text, 'timeout'::text, 'tls'::text, 'blocked_address'::text, 'protocol'::text, 'unreachable'::text]))),
    CONSTRAINT webhook_deliveries_left_batch CHECK (((left_batch_at IS NULL) OR (batch_id IS NOT NULL))),
    CONSTRAINT webhook_deliveries_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'EXHAUSTED'::text, 'SKIPPED'::text, 'CANCELLED'::text])))
);
ALTER TABLE ONLY public.webhook_deliveries FORCE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_deliveries OWNER TO quoting_owner;
CREATE TABLE public.webhooks (
    id text NOT NULL,
    tenant_id text NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    secret_sealed text NOT NULL,
    secret_last4 text NOT NULL,
    previous_secret_sealed text,
    previous_valid_until timestamp with time zone,
    is_active boolean DEFAULT true NOT NULL,
    failing_since timestamp with time zone,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    failures_in_row integer DEFAULT 0 NOT NULL,
    probe_at timestamp with time zone,
    turn_at timestamp with time zone,
    CONSTRAINT webhooks_events CHECK (((cardinality(events) > 0) AND (events <@ ARRAY['quote.created'::text, 'quote.status_changed'::text, 'quote.sent'::text, 'client.created'::text, 'product.created'::text]))),
    CONSTRAINT webhooks_failures_in_row CHECK ((failures_in_row >= 0)),
    CONSTRAINT webhooks_previous_secret CHECK (((previous_secret_sealed IS NULL) = (previous_valid_until IS NULL)))
);
ALTER TABLE ONLY public.webhooks FORCE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks OWNER TO quoting_owner;
ALTER TABLE ONLY public.knex_migrations ALTER COLUMN id SET DEFAULT nextval('public.knex_migrations_id_seq'::regclass);
ALTER TABLE ONLY public.knex_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.knex_migrations_lock_index_seq'::regclass);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_unique UNIQUE (hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.audit_heads
    ADD CONSTRAINT audit_heads_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.audit_logs
    ADD CONSTRAINT audit_logs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_logs
    ADD CONSTRAINT audit_logs_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.audit_seals
    ADD CONSTRAINT audit_seals_pkey PRIMARY KEY (tenant_id, number);
ALTER TABLE ONLY public.automation_logs
    ADD CONSTRAINT automation_logs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.automation_logs
    ADD CONSTRAINT automation_logs_tenant_id_automation_id_event_id_unique UNIQUE (tenant_id, automation_id, event_id);
ALTER TABLE ONLY public.automation_logs
    ADD CONSTRAINT automation_logs_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.automation_steps
    ADD CONSTRAINT automation_steps_pkey PRIMARY KEY (tenant_id, log_id, action_index, part);
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.event_counters
    ADD CONSTRAINT event_counters_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.expiry_reminders
    ADD CONSTRAINT expiry_reminders_pkey PRIMARY KEY (tenant_id, quote_id, version);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_tenant_id_storage_key_unique UNIQUE (tenant_id, storage_key);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, scope);
ALTER TABLE ONLY public.knex_migrations_lock
    ADD CONSTRAINT knex_migrations_lock_pkey PRIMARY KEY (index);
ALTER TABLE ONLY public.knex_migrations
    ADD CONSTRAINT knex_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.labels
    ADD CONSTRAINT labels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.labels
    ADD CONSTRAINT labels_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.mail_counts
    ADD CONSTRAINT mail_counts_pkey PRIMARY KEY (tenant_id, hour);
ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_tenant_id_user_id_event_id_unique UNIQUE (tenant_id, user_id, event_id);
ALTER TABLE ONLY public.onboarding_steps
    ADD CONSTRAINT onboarding_steps_pkey PRIMARY KEY (tenant_id, name);
ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_hash_unique UNIQUE (hash);
ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.outbox_events
    ADD CONSTRAINT outbox_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox_events
    ADD CONSTRAINT outbox_events_sequence_unique UNIQUE (sequence);
ALTER TABLE ONLY public.outbox_events
    ADD CONSTRAINT outbox_events_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.quote_counters
    ADD CONSTRAINT quote_counters_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.quote_items
    ADD CONSTRAINT quote_items_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.quote_items
    ADD CONSTRAINT quote_items_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.quote_items
    ADD CONSTRAINT quote_items_tenant_id_quote_id_position_unique UNIQUE (tenant_id, quote_id, "position");
ALTER TABLE ONLY public.quote_labels
    ADD CONSTRAINT quote_labels_pkey PRIMARY KEY (tenant_id, quote_id, label_id);
ALTER TABLE ONLY public.quote_versions
    ADD CONSTRAINT quote_versions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.quote_versions
    ADD CONSTRAINT quote_versions_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.quote_versions
    ADD CONSTRAINT quote_versions_tenant_id_quote_id_version_unique UNIQUE (tenant_id, quote_id, version);
ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_public_token_hash_unique UNIQUE (public_token_hash);
ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_tenant_id_quote_number_unique UNIQUE (tenant_id, quote_number);
ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT reminders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT reminders_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT reminders_tenant_id_log_id_action_index_unique UNIQUE (tenant_id, log_id, action_index);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.signatures
    ADD CONSTRAINT signatures_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.signatures
    ADD CONSTRAINT signatures_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.signatures
    ADD CONSTRAINT signatures_tenant_id_quote_id_unique UNIQUE (tenant_id, quote_id);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_slug_unique UNIQUE (slug);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_tenant_id_delivery_id_number_unique UNIQUE (tenant_id, delivery_id, number);
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_tenant_id_id_unique UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_tenant_id_webhook_id_event_id_replay_unique UNIQUE (tenant_id, webhook_id, event_id, replay);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_tenant_id_id_unique UNIQUE (tenant_id, id);
CREATE INDEX audit_logs_by_action ON public.audit_logs USING btree (tenant_id, action, created_at, id);
CREATE INDEX audit_logs_by_entity ON public.audit_logs USING btree (tenant_id, entity, created_at, id);
CREATE INDEX audit_logs_by_user ON public.audit_logs USING btree (tenant_id, user_id, created_at, id);
CREATE INDEX audit_logs_newest ON public.audit_logs USING btree (tenant_id, created_at, id);
CREATE INDEX automation_logs_newest ON public.automation_logs USING btree (tenant_id, automation_id, triggered_at, id);
CREATE INDEX automation_logs_of_quote ON public.automation_logs USING btree (tenant_id, quote_id);
CREATE INDEX automation_logs_triggered ON public.automation_logs USING btree (id) WHERE (status = 'TRIGGERED'::text);
CREATE INDEX automation_logs_waiting ON public.automation_logs USING btree (next_attempt_at, triggered_at) WHERE ((handed_over_at IS NULL) AND (status = 'TRIGGERED'::text));
CREATE INDEX automations_newest ON public.automations USING btree (tenant_id, created_at, id);
CREATE INDEX automations_of_trigger ON public.automations USING btree (tenant_id, trigger) WHERE is_active;
CREATE INDEX clients_by_text ON public.clients USING gin (tenant_id, public.search_text(contact_name) public.gin_trgm_ops, public.search_text(company_name) public.gin_trgm_ops, public.search_text(email) public.gin_trgm_ops);
CREATE INDEX clients_newest ON public.clients USING btree (tenant_id, created_at, id);
CREATE INDEX files_of_quote ON public.files USING btree (tenant_id, quote_id, created_at) WHERE (kind = 'quote_pdf'::text);
CREATE INDEX idempotency_keys_oldest ON public.idempotency_keys USING btree (created_at);
CREATE UNIQUE INDEX labels_name ON public.labels USING btree (tenant_id, lower(name));
CREATE INDEX mails_closed ON public.mails USING btree (closed_at);
CREATE INDEX mails_of_token ON public.mails USING btree (tenant_id, token_id);
CREATE INDEX mails_pending ON public.mails USING btree (id) WHERE (status = 'PENDING'::text);
CREATE INDEX notifications_newest ON public.notifications USING btree (tenant_id, user_id, created_at, id);
CREATE INDEX notifications_unread ON public.notifications USING btree (tenant_id, user_id) WHERE (read_at IS NULL);
CREATE INDEX one_time_tokens_by_expiry ON public.one_time_tokens USING btree (expires_at);
CREATE INDEX one_time_tokens_by_user ON public.one_time_tokens USING btree (tenant_id, user_id, created_at);
CREATE INDEX outbox_events_by_type ON public.outbox_events USING btree (tenant_id, type, sequence);
CREATE INDEX outbox_events_done ON public.outbox_events USING btree (created_at) WHERE (handed_over_at IS NOT NULL);
CREATE INDEX outbox_events_unplanned ON public.outbox_events USING btree (next_plan_at, sequence) WHERE (planned_at IS NULL);
CREATE INDEX outbox_events_waiting ON public.outbox_events USING btree (next_attempt_at, sequence) WHERE (handed_over_at IS NULL);
CREATE INDEX products_newest ON public.products USING btree (tenant_id, created_at, id);
CREATE INDEX quote_labels_by_label ON public.quote_labels USING btree (tenant_id, label_id, quote_id);
CREATE INDEX quotes_by_client ON public.quotes USING btree (tenant_id, client_id, quote_number);
CREATE INDEX quotes_by_expiry ON public.quotes USING btree (tenant_id, expires_at, quote_number);
CREATE INDEX quotes_by_status ON public.quotes USING btree (tenant_id, status, quote_number);
CREATE INDEX quotes_by_total ON public.quotes USING btree (tenant_id, total, quote_number);
CREATE INDEX quotes_by_user ON public.quotes USING btree (tenant_id, user_id, quote_number);
CREATE INDEX quotes_newest ON public.quotes USING btree (tenant_id, created_at, quote_number);
CREATE INDEX quotes_open ON public.quotes USING btree (id) WHERE (status = ANY (ARRAY['GENERATED'::text, 'SENT'::text]));
CREATE INDEX reminders_by_due ON public.reminders USING btree (tenant_id, due_at, id);
CREATE INDEX reminders_by_user ON public.reminders USING btree (tenant_id, user_id, due_at, id);
CREATE INDEX reminders_of_automation ON public.reminders USING btree (tenant_id, automation_id);
CREATE INDEX reminders_pending ON public.reminders USING btree (id) WHERE (status = 'PENDING'::text);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX templates_newest ON public.templates USING btree (tenant_id, created_at, id);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));
CREATE INDEX webhook_attempts_in_flight ON public.webhook_attempts USING btree (tenant_id, started_at) WHERE (finished_at IS NULL);
CREATE INDEX webhook_attempts_open ON public.webhook_attempts USING btree (tenant_id, delivery_id) WHERE (finished_at IS NULL);
CREATE INDEX webhook_deliveries_carried ON public.webhook_deliveries USING btree (tenant_id, webhook_id) WHERE ((batch_id IS NOT NULL) AND (left_batch_at IS NULL) AND (status = 'PENDING'::text));
CREATE INDEX webhook_deliveries_completed ON public.webhook_deliveries USING btree (completed_at);
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (tenant_id, webhook_id, created_at, id);
CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (id) WHERE (status = 'PENDING'::text);
CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (next_attempt_at, created_at) WHERE ((handed_over_at IS NULL) AND (status = 'PENDING'::text));
CREATE INDEX webhook_deliveries_with_bodies ON public.webhook_deliveries USING btree (completed_at) WHERE ((bodies_purged_at IS NULL) AND (completed_at IS NOT NULL));
CREATE INDEX webhooks_newest ON public.webhooks USING btree (tenant_id, created_at, id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.audit_logs FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.audit_seals FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.signatures FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.audit_logs FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.signatures FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER frozen_payload BEFORE UPDATE OF payload ON public.webhook_deliveries FOR EACH ROW EXECUTE FUNCTION public.refuse_new_payload();
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.audit_heads
    ADD CONSTRAINT audit_heads_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.audit_logs
    ADD CONSTRAINT audit_logs_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.audit_logs
    ADD CONSTRAINT audit_logs_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.audit_seals
    ADD CONSTRAINT audit_seals_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.automation_logs
    ADD CONSTRAINT automation_logs_tenant_id_automation_id_foreign FOREIGN KEY (tenant_id, automation_id) REFERENCES public.automations(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.automation_logs
    ADD CONSTRAINT automation_logs_tenant_id_quote_id_foreign FOREIGN KEY (tenant_id, quote_id) REFERENCES public.quotes(tenant_id, id);
ALTER TABLE ONLY public.automation_steps
    ADD CONSTRAINT automation_steps_tenant_id_log_id_foreign FOREIGN KEY (tenant_id, log_id) REFERENCES public.automation_logs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.event_counters
    ADD CONSTRAINT event_counters_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.expiry_reminders
    ADD CONSTRAINT expiry_reminders_tenant_id_quote_id_foreign FOREIGN KEY (tenant_id, quote_id) REFERENCES public.quotes(tenant_id, id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_tenant_id_quote_id_foreign FOREIGN KEY (tenant_id, quote_id) REFERENCES public.quotes(tenant_id, id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.labels
    ADD CONSTRAINT labels_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.mail_counts
    ADD CONSTRAINT mail_counts_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_tenant_id_token_id_foreign FOREIGN KEY (tenant_id, token_id) REFERENCES public.one_time_tokens(tenant_id, id);
ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.onboarding_steps
    ADD CONSTRAINT onboarding_steps_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.outbox_events
    ADD CONSTRAINT outbox_events_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.outbox_events
    ADD CONSTRAINT outbox_events_tenant_id_quote_id_foreign FOREIGN KEY (tenant_id, quote_id) REFERENCES public.quotes(tenant_id, id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.quote_counters
    ADD CONSTRAINT quote_counters_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.quote_items
    ADD CONSTRAINT quote_items_tenant_id_product_id_foreign FOREIGN KEY (tenant_id, product_id) REFERENCES public.products(tenant_id, id);
ALTER TABLE ONLY public.quote_items
    ADD CONSTRAINT quote_items_tenant_id_quote_id_foreign FOREIGN KEY (tenant_id, quote_id) REFERENCES public.quotes(tenant_id, id);
ALTER TABLE ONLY public.quote_labels
    ADD CONSTRAINT quote_labels_tenant_id_label_id_foreign FOREIGN KEY (tenant_id, label_id) REFERENCES public.labels(tenant_id, id);
ALTER TABLE ONLY public.quote_labels
    ADD CONSTRAINT quote_labels_tenant_id_quote_id_foreign FOREIGN KEY (tenant_id, quote_id) REFERENCES public.quotes(tenant_id, id);
ALTER TABLE ONLY public.quote_versions
    ADD CONSTRAINT quote_versions_tenant_id_quote_id_foreign FOREIGN KEY (tenant_id, quote_id) REFERENCES public.quotes(tenant_id, id);
ALTER TABLE ONLY public.quote_versions
    ADD CONSTRAINT quote_versions_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_tenant_id_client_id_foreign FOREIGN KEY (tenant_id, client_id) REFERENCES public.clients(tenant_id, id);
ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT reminders_tenant_id_automation_id_fkey FOREIGN KEY (tenant_id, automation_id) REFERENCES public.automations(tenant_id, id) ON DELETE SET NULL (automation_id);
ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT reminders_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT reminders_tenant_id_quote_id_foreign FOREIGN KEY (tenant_id, quote_id) REFERENCES public.quotes(tenant_id, id);
ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT reminders_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.signatures
    ADD CONSTRAINT signatures_tenant_id_pdf_file_id_foreign FOREIGN KEY (tenant_id, pdf_file_id) REFERENCES public.files(tenant_id, id);
ALTER TABLE ONLY public.signatures
    ADD CONSTRAINT signatures_tenant_id_quote_id_foreign FOREIGN KEY (tenant_id, quote_id) REFERENCES public.quotes(tenant_id, id);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_tenant_id_user_id_foreign FOREIGN KEY (tenant_id, user_id) REFERENCES public.users(tenant_id, id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_tenant_id_delivery_id_foreign FOREIGN KEY (tenant_id, delivery_id) REFERENCES public.webhook_deliveries(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_tenant_id_webhook_id_foreign FOREIGN KEY (tenant_id, webhook_id) REFERENCES public.webhooks(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_tenant_id_foreign FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.audit_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.audit_logs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.audit_seals ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.automation_logs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.automation_steps ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.automations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.clients ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.event_counters ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.expiry_reminders ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.files ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.labels ENABLE ROW LEVEL SECURITY;
CREATE POLICY lookup ON public.api_keys FOR SELECT TO quoting_lookup USING (true);
CREATE POLICY lookup ON public.clients FOR SELECT TO quoting_lookup USING (true);
CREATE POLICY lookup ON public.one_time_tokens FOR SELECT TO quoting_lookup USING (true);
CREATE POLICY lookup ON public.quotes FOR SELECT TO quoting_lookup USING (true);
CREATE POLICY lookup ON public.users FOR SELECT TO quoting_lookup USING (true);
ALTER TABLE public.mail_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.mails ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.notifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.onboarding_steps ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.one_time_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.outbox_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner ON public.api_keys TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.audit_heads TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.audit_logs TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.audit_seals TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.automation_logs TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.automation_steps TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.automations TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.clients TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.event_counters TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.expiry_reminders TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.files TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.idempotency_keys TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.labels TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.mail_counts TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.mails TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.notifications TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.onboarding_steps TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.one_time_tokens TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.outbox_events TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.products TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.quote_counters TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.quote_items TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.quote_labels TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.quote_versions TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.quotes TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.reminders TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.sessions TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.signatures TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.templates TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.tenants TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.users TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.webhook_attempts TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.webhook_deliveries TO quoting_owner USING (true) WITH CHECK (true);
CREATE POLICY owner ON public.webhooks TO quoting_owner USING (true) WITH CHECK (true);
ALTER TABLE public.products ENABLE ROW LEVEL SECURITY;
CREATE POLICY purge ON public.files FOR DELETE TO quoting_relay USING (((created_at < (now() - '1 day'::interval)) AND
CASE kind
    WHEN 'signed_pdf'::text THEN (NOT (EXISTS ( SELECT
       FROM public.signatures s
      WHERE ((s.tenant_id = files.tenant_id) AND (s.pdf_file_id = files.id)))))
    WHEN 'quote_pdf'::text THEN (NOT (EXISTS ( SELECT
       FROM public.signatures s
      WHERE ((s.tenant_id = files.tenant_id) AND (s.quote_id = files.quote_id) AND (s.shown_pdf_sha256 = files.sha256)))))
    ELSE false
END));
CREATE POLICY purge ON public.idempotency_keys FOR DELETE TO quoting_relay USING ((created_at < (now() - '1 day'::interval)));
CREATE POLICY purge ON public.mails FOR DELETE TO quoting_relay USING (((status <> 'PENDING'::text) AND (closed_at < (now() - '1 day'::interval))));
CREATE POLICY purge ON public.one_time_tokens FOR DELETE TO quoting_relay USING ((expires_at < (now() - '1 day'::interval)));
CREATE POLICY purge ON public.outbox_events AS RESTRICTIVE FOR DELETE TO quoting_relay USING (((planned_at IS NOT NULL) AND (handed_over_at IS NOT NULL) AND (created_at < (now() - '1 day'::interval))));
CREATE POLICY purge ON public.sessions FOR DELETE TO quoting_relay USING ((expires_at < (now() - '1 day'::interval)));
CREATE POLICY purge ON public.webhook_attempts FOR UPDATE TO quoting_relay USING (true) WITH CHECK ((response_body IS NULL));
CREATE POLICY purge ON public.webhook_deliveries AS RESTRICTIVE FOR DELETE TO quoting_relay USING ((completed_at < (now() - '1 day'::interval)));
CREATE POLICY purge_read ON public.files FOR SELECT TO quoting_relay USING (true);
CREATE POLICY purge_read ON public.idempotency_keys FOR SELECT TO quoting_relay USING (true);
CREATE POLICY purge_read ON public.one_time_tokens FOR SELECT TO quoting_relay USING (true);
CREATE POLICY purge_read ON public.sessions FOR SELECT TO quoting_relay USING (true);
CREATE POLICY purge_read ON public.signatures FOR SELECT TO quoting_relay USING (true);
CREATE POLICY purge_read ON public.webhook_attempts FOR SELECT TO quoting_relay USING (true);
ALTER TABLE public.quote_counters ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.quote_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.quote_labels ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.quote_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.quotes ENABLE ROW LEVEL SECURITY;
CREATE POLICY relay ON public.audit_heads TO quoting_relay USING (true) WITH CHECK (true);
CREATE POLICY relay ON public.audit_seals TO quoting_relay USING (true) WITH CHECK (true);
CREATE POLICY relay ON public.automation_logs TO quoting_relay USING (true) WITH CHECK (true);
CREATE POLICY relay ON public.automations TO quoting_relay USING (true) WITH CHECK (true);
CREATE POLICY relay ON public.expiry_reminders FOR SELECT TO quoting_relay USING (true);
CREATE POLICY relay ON public.mails FOR SELECT TO quoting_relay USING (true);
CREATE POLICY relay ON public.outbox_events TO quoting_relay USING (true) WITH CHECK (true);
CREATE POLICY relay ON public.quotes TO quoting_relay USING (true) WITH CHECK (true);
CREATE POLICY relay ON public.reminders FOR SELECT TO quoting_relay USING (true);
CREATE POLICY relay ON public.tenants TO quoting_relay USING (true) WITH CHECK (true);
CREATE POLICY relay ON public.webhook_deliveries TO quoting_relay USING (true) WITH CHECK (true);
CREATE POLICY relay ON public.webhooks TO quoting_relay USING (true) WITH CHECK (true);
ALTER TABLE public.reminders ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.signatures ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.templates ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON public.api_keys TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.audit_heads TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.audit_logs TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.audit_seals TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.automation_logs TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.automation_steps TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.automations TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.clients TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.event_counters TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.expiry_reminders TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.files TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.idempotency_keys TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.labels TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.mail_counts TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.mails TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.notifications TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.onboarding_steps TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.one_time_tokens TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.outbox_events TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.products TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.quote_counters TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.quote_items TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.quote_labels TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.quote_versions TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.quotes TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.reminders TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.sessions TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.signatures TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.templates TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.tenants TO quoting_app USING ((id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.users TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.webhook_attempts TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.webhook_deliveries TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
CREATE POLICY tenant ON public.webhooks TO quoting_app USING ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting))) WITH CHECK ((tenant_id = ( SELECT current_setting('app.tenant_id'::text, true) AS current_setting)));
ALTER TABLE public.tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.users ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA public TO quoting_app;
GRANT USAGE ON SCHEMA public TO quoting_relay;
GRANT USAGE ON SCHEMA public TO quoting_lookup;
REVOKE ALL ON FUNCTION public.find_api_key(key_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_api_key(key_hash text) TO quoting_app;
REVOKE ALL ON FUNCTION public.find_clients_by_name(pattern text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_clients_by_name(pattern text) TO quoting_app;
REVOKE ALL ON FUNCTION public.find_clients_by_text(pattern text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_clients_by_text(pattern text) TO quoting_app;
REVOKE ALL ON FUNCTION public.find_one_time_token(token_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_one_time_token(token_hash text) TO quoting_app;
REVOKE ALL ON FUNCTION public.find_quote_by_token(token_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_quote_by_token(token_hash text) TO quoting_app;
REVOKE ALL ON FUNCTION public.find_user_by_email(address text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_user_by_email(address text) TO quoting_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.api_keys TO quoting_app;
GRANT SELECT(id) ON TABLE public.api_keys TO quoting_lookup;
GRANT SELECT(tenant_id) ON TABLE public.api_keys TO quoting_lookup;
GRANT SELECT(hash) ON TABLE public.api_keys TO quoting_lookup;
GRANT SELECT(revoked_at) ON TABLE public.api_keys TO quoting_lookup;
GRANT SELECT ON TABLE public.audit_heads TO quoting_app;
GRANT SELECT,INSERT ON TABLE public.audit_heads TO quoting_relay;
GRANT UPDATE(number) ON TABLE public.audit_heads TO quoting_relay;
GRANT UPDATE(hash) ON TABLE public.audit_heads TO quoting_relay;
GRANT SELECT,INSERT ON TABLE public.audit_logs TO quoting_app;
GRANT SELECT ON TABLE public.audit_seals TO quoting_app;
GRANT SELECT,INSERT ON TABLE public.audit_seals TO quoting_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.automation_logs TO quoting_app;
GRANT SELECT,INSERT ON TABLE public.automation_logs TO quoting_relay;
GRANT UPDATE(handed_over_at) ON TABLE public.automation_logs TO quoting_relay;
GRANT UPDATE(attempts) ON TABLE public.automation_logs TO quoting_relay;
GRANT UPDATE(next_attempt_at) ON TABLE public.automation_logs TO quoting_relay;
GRANT SELECT,INSERT ON TABLE public.automation_steps TO quoting_app;
GRANT UPDATE(done_at) ON TABLE public.automation_steps TO quoting_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.automations TO quoting_app;
GRANT SELECT ON TABLE public.automations TO quoting_relay;
GRANT SELECT,INSERT,UPDATE ON TABLE public.clients TO quoting_app;
GRANT SELECT(id) ON TABLE public.clients TO quoting_lookup;
GRANT SELECT(tenant_id) ON TABLE public.clients TO quoting_lookup;
GRANT SELECT(contact_name) ON TABLE public.clients TO quoting_lookup;
GRANT SELECT(company_name) ON TABLE public.clients TO quoting_lookup;
GRANT SELECT(email) ON TABLE public.clients TO quoting_lookup;
GRANT SELECT,INSERT,UPDATE ON TABLE public.event_counters TO quoting_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.expiry_reminders TO quoting_app;
GRANT SELECT(tenant_id) ON TABLE public.expiry_reminders TO quoting_relay;
GRANT SELECT(quote_id) ON TABLE public.expiry_reminders TO quoting_relay;
GRANT SELECT(version) ON TABLE public.expiry_reminders TO quoting_relay;
GRANT SELECT(expires_at) ON TABLE public.expiry_reminders TO quoting_relay;
GRANT SELECT(remind_at) ON TABLE public.expiry_reminders TO quoting_relay;
GRANT SELECT(mail) ON TABLE public.expiry_reminders TO quoting_relay;
GRANT SELECT(announced_at) ON TABLE public.expiry_reminders TO quoting_relay;
GRANT SELECT,INSERT ON TABLE public.files TO quoting_app;
GRANT DELETE ON TABLE public.files TO quoting_relay;
GRANT SELECT(id) ON TABLE public.files TO quoting_relay;
GRANT SELECT(tenant_id) ON TABLE public.files TO quoting_relay;
GRANT SELECT(kind) ON TABLE public.files TO quoting_relay;
GRANT SELECT(quote_id) ON TABLE public.files TO quoting_relay;
GRANT SELECT(storage_key) ON TABLE public.files TO quoting_relay;
GRANT SELECT(sha256) ON TABLE public.files TO quoting_relay;
GRANT SELECT(created_at) ON TABLE public.files TO quoting_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO quoting_app;
GRANT DELETE ON TABLE public.idempotency_keys TO quoting_relay;
GRANT SELECT(tenant_id) ON TABLE public.idempotency_keys TO quoting_relay;
GRANT SELECT(scope) ON TABLE public.idempotency_keys TO quoting_relay;
GRANT SELECT(created_at) ON TABLE public.idempotency_keys TO quoting_relay;
GRANT SELECT ON TABLE public.knex_migrations TO quoting_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.labels TO quoting_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mail_counts TO quoting_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.mails TO quoting_app;
GRANT DELETE ON TABLE public.mails TO quoting_relay;
GRANT SELECT(id) ON TABLE public.mails TO quoting_relay;
GRANT SELECT(tenant_id) ON TABLE public.mails TO quoting_relay;
GRANT SELECT(token_id) ON TABLE public.mails TO quoting_relay;
GRANT SELECT(status) ON TABLE public.mails TO quoting_relay;
GRANT SELECT(created_at) ON TABLE public.mails TO quoting_relay;
GRANT SELECT(closed_at) ON TABLE public.mails TO quoting_relay;
GRANT SELECT,INSERT ON TABLE public.notifications TO quoting_app;
GRANT UPDATE(read_at) ON TABLE public.notifications TO quoting_app;
GRANT SELECT,INSERT ON TABLE public.onboarding_steps TO quoting_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.one_time_tokens TO quoting_app;
GRANT DELETE ON TABLE public.one_time_tokens TO quoting_relay;
GRANT SELECT(id) ON TABLE public.one_time_tokens TO quoting_lookup;
GRANT SELECT(id) ON TABLE public.one_time_tokens TO quoting_relay;
GRANT SELECT(tenant_id) ON TABLE public.one_time_tokens TO quoting_lookup;
GRANT SELECT(tenant_id) ON TABLE public.one_time_tokens TO quoting_relay;
GRANT SELECT(hash) ON TABLE public.one_time_tokens TO quoting_lookup;
GRANT SELECT(expires_at) ON TABLE public.one_time_tokens TO quoting_relay;
GRANT SELECT,INSERT ON TABLE public.outbox_events TO quoting_app;
GRANT SELECT,DELETE ON TABLE public.outbox_events TO quoting_relay;
GRANT UPDATE(handed_over_at) ON TABLE public.outbox_events TO quoting_relay;
GRANT UPDATE(attempts) ON TABLE public.outbox_events TO quoting_relay;
GRANT UPDATE(next_attempt_at) ON TABLE public.outbox_events TO quoting_relay;
GRANT UPDATE(planned_at) ON TABLE public.outbox_events TO quoting_relay;
GRANT UPDATE(planned_at) ON TABLE public.outbox_events TO quoting_app;
GRANT UPDATE(next_plan_at) ON TABLE public.outbox_events TO quoting_relay;
GRANT SELECT,INSERT,UPDATE ON TABLE public.products TO quoting_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.quote_counters TO quoting_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.quote_items TO quoting_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.quote_labels TO quoting_app;
GRANT SELECT,INSERT ON TABLE public.quote_versions TO quoting_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.quotes TO quoting_app;
GRANT SELECT(id) ON TABLE public.quotes TO quoting_relay;
GRANT SELECT(id) ON TABLE public.quotes TO quoting_lookup;
GRANT SELECT(tenant_id) ON TABLE public.quotes TO quoting_relay;
GRANT SELECT(tenant_id) ON TABLE public.quotes TO quoting_lookup;
GRANT SELECT(quote_number) ON TABLE public.quotes TO quoting_relay;
GRANT SELECT(version) ON TABLE public.quotes TO quoting_relay;
GRANT SELECT(status) ON TABLE public.quotes TO quoting_relay;
GRANT SELECT(expires_at) ON TABLE public.quotes TO quoting_relay;
GRANT SELECT(public_token_hash) ON TABLE public.quotes TO quoting_lookup;
GRANT SELECT(created_at) ON TABLE public.quotes TO quoting_relay;
GRANT SELECT(updated_at) ON TABLE public.quotes TO quoting_relay;
GRANT SELECT,INSERT ON TABLE public.reminders TO quoting_app;
GRANT SELECT(id) ON TABLE public.reminders TO quoting_relay;
GRANT SELECT(tenant_id) ON TABLE public.reminders TO quoting_relay;
GRANT SELECT(quote_id) ON TABLE public.reminders TO quoting_relay;
GRANT SELECT(automation_id) ON TABLE public.reminders TO quoting_relay;
GRANT SELECT(due_at) ON TABLE public.reminders TO quoting_relay;
GRANT UPDATE(status) ON TABLE public.reminders TO quoting_app;
GRANT SELECT(status) ON TABLE public.reminders TO quoting_relay;
GRANT UPDATE(fired_at) ON TABLE public.reminders TO quoting_app;
GRANT SELECT(created_at) ON TABLE public.reminders TO quoting_relay;
GRANT SELECT,INSERT,UPDATE ON TABLE public.sessions TO quoting_app;
GRANT DELETE ON TABLE public.sessions TO quoting_relay;
GRANT SELECT(id) ON TABLE public.sessions TO quoting_relay;
GRANT SELECT(tenant_id) ON TABLE public.sessions TO quoting_relay;
GRANT SELECT(expires_at) ON TABLE public.sessions TO quoting_relay;
GRANT SELECT,INSERT ON TABLE public.signatures TO quoting_app;
GRANT SELECT(tenant_id) ON TABLE public.signatures TO quoting_relay;
GRANT SELECT(quote_id) ON TABLE public.signatures TO quoting_relay;
GRANT SELECT(pdf_file_id) ON TABLE public.signatures TO quoting_relay;
GRANT SELECT(shown_pdf_sha256) ON TABLE public.signatures TO quoting_relay;
GRANT SELECT,INSERT,UPDATE ON TABLE public.templates TO quoting_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.tenants TO quoting_app;
GRANT SELECT(id) ON TABLE public.tenants TO quoting_relay;
GRANT SELECT(slug) ON TABLE public.tenants TO quoting_relay;
GRANT SELECT,INSERT,UPDATE ON TABLE public.users TO quoting_app;
GRANT SELECT(id) ON TABLE public.users TO quoting_lookup;
GRANT SELECT(tenant_id) ON TABLE public.users TO quoting_lookup;
GRANT SELECT(email) ON TABLE public.users TO quoting_lookup;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_attempts TO quoting_app;
GRANT SELECT(tenant_id) ON TABLE public.webhook_attempts TO quoting_relay;
GRANT SELECT(delivery_id) ON TABLE public.webhook_attempts TO quoting_relay;
GRANT SELECT(response_body),UPDATE(response_body) ON TABLE public.webhook_attempts TO quoting_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_deliveries TO quoting_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.webhook_deliveries TO quoting_relay;
GRANT UPDATE(payload) ON TABLE public.webhook_deliveries TO quoting_relay;
GRANT UPDATE(response_body) ON TABLE public.webhook_deliveries TO quoting_relay;
GRANT UPDATE(handed_over_at) ON TABLE public.webhook_deliveries TO quoting_relay;
GRANT UPDATE(attempts) ON TABLE public.webhook_deliveries TO quoting_relay;
GRANT UPDATE(next_attempt_at) ON TABLE public.webhook_deliveries TO quoting_relay;
GRANT UPDATE(bodies_purged_at) ON TABLE public.webhook_deliveries TO quoting_relay;
GRANT UPDATE(batch_id) ON TABLE public.webhook_deliveries TO quoting_relay;
GRANT UPDATE(left_batch_at) ON TABLE public.webhook_deliveries TO quoting_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks TO quoting_app;
GRANT SELECT(id) ON TABLE public.webhooks TO quoting_relay;
GRANT SELECT(tenant_id) ON TABLE public.webhooks TO quoting_relay;
GRANT SELECT(events) ON TABLE public.webhooks TO quoting_relay;
GRANT SELECT(is_active) ON TABLE public.webhooks TO quoting_relay;
GRANT SELECT(failures_in_row) ON TABLE public.webhooks TO quoting_relay;
INSERT INTO public.knex_migrations (name, batch, migration_time) VALUES
('20261127090000_create_tenants', 1, now()),
('20261127090100_create_users', 1, now()),
('20261127090200_create_clients_and_products', 1, now()),
('20261127090300_create_quotes', 1, now()),
('20261127090400_create_audit_logs_and_outbox', 1, now()),
('20261127090500_create_files', 1, now()),
('20261127100000_create_idempotency_keys', 1, now()),
('20261127101000_create_labels', 1, now()),
('20261127101010_create_one_time_tokens', 1, now()),
('20261127101020_create_mails', 1, now()),
('20261127102001_create_quote_versions', 1, now()),
('20261127102002_create_signatures', 1, now()),
('20261127102003_index_quotes_for_filters', 1, now()),
('20261127102004_index_client_texts', 1, now()),
('20261127102005_index_audit_logs_for_filters', 1, now()),
('20261127103000_create_templates', 1, now()),
('20261127103010_create_automations', 1, now()),
('20261127103020_create_webhooks', 1, now()),
('20261127103030_index_outbox_events_by_type', 1, now()),
('20261127104000_create_onboarding_steps', 1, now()),
('20261127104010_create_notifications', 1, now()),
('20261127104020_create_reminders', 1, now()),
('20261127104030_add_logo_and_branding_to_tenants', 1, now()),
('20261127104040_allow_logos_in_files', 1, now()),
('20261127105000_plan_events', 1, now()),
('20261127106000_create_expiry_reminders', 1, now()),
('20261127106010_create_automation_steps', 1, now()),
('20261127107000_freeze_signed_pdfs', 1, now()),
('20261127107010_add_answer_to_quotes', 1, now()),
('20261128020000_let_relay_see_expiry_reminders', 1, now()),
('20261128030000_add_breaker_to_webhooks', 1, now()),
('20261128040000_add_shown_pdf_to_signatures', 1, now()),
('20261128050000_create_audit_seals', 1, now()),
('20261128050010_allow_retention', 1, now()),
('20261128060000_create_mail_counts', 1, now()),
('20261128070000_carry_deliveries_in_batches', 1, now()),
('20261128075000_let_relay_see_failing_webhooks', 1, now());
INSERT INTO public.knex_migrations_lock (is_locked) VALUES (0);
