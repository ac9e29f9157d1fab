import { Ajv } from 'ajv';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { RETRY_PAUSES_S } from '../domain/delivery-schedule.ts';
import { FAILURES_TO_OPEN, PROBE_PAUSE_S } from '../domain/endpoint-breaker.ts';
import { clashingPorts, METRICS, observabilitySettings } from './observability-settings.ts';
import { choice } from './choice.ts';
import { rateSettings } from './rate-settings.ts';
import { registrationSettings } from './registration-settings.ts';
import { retentionSettings } from './retention-settings.ts';
import { embeddedTemporal } from './temporal/embedded.ts';
import { unsafeSettings } from './unsafe-settings.ts';

/**
 * Reads the environment once. Each process declares the settings that it needs. All missing and invalid ones are
 * reported together, by name and reason, and never with a value: many are secrets.
 */

const url = (schemes: string, description: string) => Type.String({ pattern: `^(${schemes})://[^\\s]+$`, description });

/** A literal object has no other members than those of its type. */
function keysOf<T extends object>(properties: T): readonly (keyof T)[] {
  return Object.keys(properties) as (keyof T)[];
}

const temporalSettings = {
  TEMPORAL_ADDRESS: Type.String({ pattern: '^[^\\s/]+:\\d+$', description: 'host:port of the Temporal frontend' }),
  TEMPORAL_NAMESPACE: Type.String({ default: 'default', minLength: 1, description: 'Temporal namespace' }),
  TEMPORAL_TLS: Type.Boolean({ default: false, description: 'whether to use TLS to Temporal' }),
  TEMPORAL_API_KEY: Type.Optional(Type.String({ minLength: 1, description: 'API key of Temporal Cloud' })),
  TEMPORAL_PAYLOAD_KEYS: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]+:[A-Za-z0-9+/]{43}=(,[a-z0-9]+:[A-Za-z0-9+/]{43}=)*$',
      description: 'as ENCRYPTION_KEYS, but different keys: encrypts payloads in Temporal; not set: plain',
    }),
  ),
} satisfies TProperties;

const storageSettings = {
  S3_ENDPOINT: url('https?', 'address of the S3-compatible storage for the service'),
  S3_PUBLIC_ENDPOINT: Type.Optional(
    url('https?', 'address of the same storage for readers of presigned links; default S3_ENDPOINT'),
  ),
  S3_REGION: Type.String({ default: 'us-east-1', minLength: 1, description: 'region in the signatures of requests' }),
  S3_BUCKET: Type.String({ default: 'quoting', minLength: 3, description: 'bucket for PDFs, logos and attachments' }),
  S3_ACCESS_KEY_ID: Type.String({ minLength: 1, description: 'access key' }),
  S3_SECRET_ACCESS_KEY: Type.String({ minLength: 1, description: 'secret key' }),
} satisfies TProperties;

const settings = {
  PROFILE: choice(
    ['production', 'embedded', 'test'],
    'production',
    'production, or embedded / test: loopback only, example data',
  ),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'least severe level that is logged'),
  HOST: Type.String({
    default: '127.0.0.1',
    description: 'address that the API listens on; outside production a loopback address',
  }),
  PORT: Type.Integer({ default: 3000, minimum: 1, maximum: 65_535, description: 'port of the API' }),
  DRAIN_SECONDS: Type.Integer({
    default: 2,
    minimum: 0,
    maximum: 30,
    description: 'how long a stopping API still serves after /readyz fails, so that load balancers stop using it first',
  }),
  PUBLIC_URL: url(
    'https?',
    'public origin, for links and cookies, without a path; https in production, except on loopback',
  ),
  TRUSTED_PROXIES: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 10,
    description: 'number of proxies in front of the API whose X-Forwarded-For entries are trusted',
  }),
  CORS_ORIGINS: Type.String({
    default: '',
    pattern: '^(\\*|(https?://[A-Za-z0-9.-]+(:\\d+)?(, *https?://[A-Za-z0-9.-]+(:\\d+)?)*)?)$',
    description: 'comma-separated origins whose pages may call the API with a key, or *; never with cookies',
  }),
  ...registrationSettings,
  RATE_LIMITS: choice(['on', 'off'], 'on', 'off only for load tests, never in production'),
  ...rateSettings,
  SESSION_SECRETS: Type.String({
    pattern: '^[^\\s,]{32,}(,[^\\s,]{32,})*$',
    description: 'comma-separated secrets of 32 characters or more; the first encrypts new sessions, all decrypt',
  }),
  ENCRYPTION_KEYS: Type.String({
    pattern: '^[a-z0-9]+:[A-Za-z0-9+/]{43}=(,[a-z0-9]+:[A-Za-z0-9+/]{43}=)*$',
    description: 'comma-separated id:key, key = 32 bytes in base64; the first encrypts, all decrypt',
  }),
  OUTBOUND_ALLOW_CIDRS: Type.String({
    default: '',
    pattern: '^[0-9a-fA-F:./, ]*$',
    description: 'comma-separated private ranges that webhooks may call, such as 127.0.0.0/8; never metadata servers',
  }),
  WEBHOOK_RETRY_SECONDS: Type.String({
    default: RETRY_PAUSES_S.join(','),
    pattern: '^\\d{1,6}(,\\d{1,6}){0,29}$',
    description: 'comma-separated pauses before attempts 2, 3, … of a webhook delivery',
  }),
  WEBHOOK_PROBE_SECONDS: Type.Integer({
    default: PROBE_PAUSE_S,
    minimum: 1,
    maximum: 3_600,
    description: `seconds between calls to an endpoint that failed ${FAILURES_TO_OPEN} times in a row`,
  }),
  ATTACHMENTS_FREE_MB: Type.Integer({
    default: 100,
    minimum: 0,
    maximum: 1_000_000,
    description: 'MiB of attachments that a business on FREE may store',
  }),
  ATTACHMENTS_PRO_MB: Type.Integer({
    default: 5_120,
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'MiB of attachments that a business on PRO may store',
  }),
  ...retentionSettings,
  DATABASE_URL: url('postgres(ql)?', 'PostgreSQL 15 or later, as the role quoting_app'),
  DATABASE_POOL: Type.Integer({
    default: 8,
    minimum: 1,
    maximum: 200,
    description: 'PostgreSQL connections of one process; about four times its cores',
  }),
  DATABASE_DISPATCHER_URL: url('postgres(ql)?', 'the same database, as the role quoting_dispatcher'),
  DATABASE_ADMIN_URL: url('postgres(ql)?', 'the same database, as the owner of its tables; used by migrations only'),
  ...temporalSettings,
  CODEC_PORT: Type.Integer({
    default: 8088,
    minimum: 1,
    maximum: 65_535,
    description: 'port of the codec server, which decrypts payloads for the Temporal UI',
  }),
  CODEC_TOKEN: Type.String({
    pattern: '^[A-Za-z0-9._~+/=-]{32,}$',
    description: 'bearer token for the codec server, 32 characters or more',
  }),
  TEMPORAL_UI_URL: Type.Optional(url('https?', 'origin of the Temporal UI, for links to workflow executions')),
  ...storageSettings,
  SMTP_URL: url(
    'smtps?',
    'mail server, with user and password if it requires them; these are sent over TLS only, except on loopback',
  ),
  MAIL_FROM: Type.String({
    default: 'cotizaciones@localhost',
    pattern: '^[^\\s<>]+@[^\\s<>]+$',
    description: 'sender address of mails',
  }),
  ...observabilitySettings,
} satisfies TProperties;

/** Every name that a setting can have. */
export const SETTING_NAMES: readonly string[] = Object.keys(settings);

const names = <const Name extends keyof typeof settings>(...list: readonly Name[]): readonly Name[] => list;

// The settings that each process reads.
const TEMPORAL = keysOf(temporalSettings);
const STORAGE = keysOf(storageSettings);
const SERVING = [
  ...names('PROFILE', 'LOG_LEVEL', 'HOST', 'PORT', 'PUBLIC_URL', 'RATE_LIMITS', 'ENCRYPTION_KEYS'),
  ...names('OUTBOUND_ALLOW_CIDRS', 'DATABASE_URL', 'DATABASE_POOL'),
  ...TEMPORAL,
  ...STORAGE,
  ...METRICS,
];
const API = [
  ...SERVING,
  ...keysOf(rateSettings),
  ...keysOf(registrationSettings),
  ...names('DRAIN_SECONDS', 'TRUSTED_PROXIES', 'CORS_ORIGINS', 'SESSION_SECRETS', 'TEMPORAL_UI_URL'),
  ...names('ATTACHMENTS_FREE_MB', 'ATTACHMENTS_PRO_MB'),
];
const WORKER = [
  ...SERVING,
  ...keysOf(retentionSettings),
  ...names('RATE_MAIL_PER_HOUR', 'RATE_MAIL_PER_DAY', 'WEBHOOK_RETRY_SECONDS', 'WEBHOOK_PROBE_SECONDS'),
  ...names('DATABASE_DISPATCHER_URL', 'TEMPORAL_METRICS_PORT', 'SMTP_URL', 'MAIL_FROM'),
];
const TENANTS = names('DATABASE_URL', 'DATABASE_DISPATCHER_URL');
const MIGRATE = [...names('PROFILE', 'LOG_LEVEL', 'DATABASE_ADMIN_URL'), ...TENANTS, ...TEMPORAL];
const RECONCILE = [...names('LOG_LEVEL', 'DATABASE_DISPATCHER_URL'), ...TEMPORAL];
const CODEC = [
  ...names('PROFILE', 'LOG_LEVEL', 'HOST', 'CODEC_PORT', 'CODEC_TOKEN'),
  ...names('TEMPORAL_PAYLOAD_KEYS', 'TEMPORAL_UI_URL'),
];
const SECRETS = names('ENCRYPTION_KEYS');
const FILES = [...names('DATABASE_DISPATCHER_URL'), ...STORAGE];
const TENANT_EXPORT = [...TENANTS, ...STORAGE];
const TENANT_DELETION = [...names('DATABASE_ADMIN_URL'), ...TENANTS, ...TEMPORAL, ...STORAGE];

type Settings = typeof settings;
type ConfigOf<Names extends readonly (keyof Settings)[]> = Static<
  ReturnType<typeof Type.Object<Pick<Settings, Names[number]>>>
>;
export type ApiConfig = ConfigOf<typeof API>;
export type WorkerConfig = ConfigOf<typeof WORKER>;
export type MigrateConfig = ConfigOf<typeof MIGRATE>;

/** The documentation of a setting. */
type Annotated = TSchema & { readonly description?: string; readonly default?: unknown };

/** The environment does not match the schema. The message names every invalid setting, and shows no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

// Environment values are text: "8" becomes 8 and "true" true, as in a query string.
const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, removeAdditional: true, strict: false });

type Environment = Readonly<Record<string, string | undefined>>;

/** Former names of settings, which are refused. */
const RENAMED = { DATABASE_RELAY_URL: 'DATABASE_DISPATCHER_URL' } as const;

function read<Names extends readonly (keyof Settings)[]>(names: Names, env: Environment): ConfigOf<Names> {
  const properties: Record<string, Annotated> = Object.fromEntries(names.map((name) => [name, settings[name]]));
  const renamed = Object.entries(RENAMED).filter(([former, name]) => env[former] && name in properties);
  if (renamed.length > 0) {
    throw new ConfigError(renamed.map(([former, name]) => `${former} is now called ${name}`).join('\n'));
  }
  // An empty value means "not set": compose files and .env.example leave lines empty.
  const given = Object.fromEntries(names.map((name) => [name, env[name]]).filter(([, value]) => value));
  const valid = ajv.compile<ConfigOf<Names>>(Type.Object(properties, { additionalProperties: false }));
  const all: Readonly<Record<string, unknown>> = given;
  if (valid(given)) {
    const unsafe = unsafeSettings(all);
    if (unsafe.length > 0) throw new ConfigError(`The configuration is unsafe:\n${unsafe.join('\n')}`);
    const clashes = clashingPorts(all);
    if (clashes.length > 0) throw new ConfigError(`The configuration has conflicting settings:\n${clashes.join('\n')}`);
    return given;
  }

  const problems = (valid.errors ?? []).map(({ instancePath, params, message, keyword }) => {
    const name = keyword === 'required' ? String(params['missingProperty']) : instancePath.slice(1);
    const description = properties[name]?.description;
    return `  ${name}: ${keyword === 'required' ? 'is not set' : message} (${String(description)})`;
  });
  throw new ConfigError(`The configuration is incomplete or invalid:\n${[...new Set(problems)].join('\n')}`);
}

// The one place that reads the environment.
const reader =
  <Names extends readonly (keyof Settings)[]>(names: Names) =>
  (env: Environment = process.env): ConfigOf<Names> =>
    read(names, env);
export const readApiConfig = reader(API);
export const readWorkerConfig = reader(WORKER);
export const readMigrateConfig = reader(MIGRATE);
export const readReconcileConfig = reader(RECONCILE);
export const readCodecConfig = reader(CODEC);
export const readSecretsConfig = reader(SECRETS);
export const readTenantsConfig = reader(TENANTS);
export const readLinksConfig = reader(names('PUBLIC_URL'));
export const readFilesConfig = reader(FILES);
export const readTenantExportConfig = reader(TENANT_EXPORT);
export const readTenantDeletionConfig = reader(TENANT_DELETION);
/** Settings that the environment omits come from the embedded stack, if one is running. */
export const readTemporalConfig = (env: Environment = process.env): ConfigOf<typeof TEMPORAL> =>
  read(TEMPORAL, { ...env, TEMPORAL_ADDRESS: env['TEMPORAL_ADDRESS'] || embeddedTemporal(env) });

const READERS = { API, worker: WORKER, migrations: MIGRATE, codec: CODEC } satisfies Record<string, readonly string[]>;

/** Every setting as the documents show it: meaning, default, and the processes that read it. */
export const describedSettings = () =>
  Object.entries<Annotated>(settings).map(([name, { description = '', default: fallback }]) => ({
    name,
    description,
    fallback: fallback === undefined ? undefined : asText(fallback),
    readBy: Object.entries<readonly string[]>(READERS).flatMap(([reader, names]) =>
      names.includes(name) ? [reader] : [],
    ),
  }));

// As the environment holds it: without JSON's quotes.
const asText = (fallback: unknown): string => JSON.stringify(fallback).replaceAll('"', '');

/** The text of `.env.example`: every setting with its meaning and default. */
export function envExample(): string {
  const lines = Object.entries<Annotated>(settings).map(([name, schema]) => {
    const fallback = schema.default;
    return `# ${String(schema.description)}\n${fallback === undefined ? `${name}=` : `# ${name}=${asText(fallback)}`}`;
  });
  return `${lines.join('\n\n')}\n`;
}
