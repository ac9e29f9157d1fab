import { Ajv } from 'ajv';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { RETRY_PAUSES_S } from '../domain/delivery-schedule.ts';

/**
 * The environment, read once. Each process states which settings it needs; what is missing or wrong is reported
 * all at once, by name and reason, and never with a value: many of them are secrets.
 */

const url = (schemes: string, description: string) => Type.String({ pattern: `^(${schemes})://[^\\s]+$`, description });

const choice = <const T extends string>(values: readonly T[], fallback: NoInfer<T>, description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: values, default: fallback, description });

const perWindow = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 1, maximum: 1_000_000_000, description });

const settings = {
  PROFILE: choice(
    ['production', 'embedded', 'test'],
    'production',
    'production, or embedded / test: loopback only, example data, development pages',
  ),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'least severe level that is logged'),
  HOST: Type.String({ default: '127.0.0.1', description: 'address that the API listens on' }),
  PORT: Type.Integer({ default: 3000, minimum: 1, maximum: 65_535, description: 'port of the API' }),
  PUBLIC_URL: url('https?', 'origin that clients see, for links and cookies, without a path'),
  TRUSTED_PROXIES: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 10,
    description: 'proxies in front of the API whose X-Forwarded-For entries are believed',
  }),
  SIGNUP_PLAN: choice(['FREE', 'PRO'], 'FREE', 'plan of a business that registers itself'),
  RATE_LIMITS: choice(['on', 'off'], 'on', 'off only for load tests'),
  RATE_USER_PER_MINUTE: perWindow(600, 'requests of one user or key a minute'),
  RATE_TENANT_PER_MINUTE: perWindow(1200, 'requests of one business a minute'),
  RATE_ADDRESS_PER_MINUTE: perWindow(300, 'requests without a session of one address a minute'),
  RATE_LOGIN_PER_MINUTE: perWindow(20, 'sign-ins and registrations of one address a minute'),
  RATE_SHARE_PER_HOUR: perWindow(120, 'quotes that one user or key mails an hour'),
  RATE_WEBHOOK_TEST_PER_MINUTE: perWindow(20, 'webhook tests of one user or key a minute'),
  RATE_UPLOAD_PER_HOUR: perWindow(40, 'uploads of one user or key an hour'),
  RATE_PUBLIC_PER_MINUTE: perWindow(120, "requests for clients' pages of one address a minute"),
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
    description:
      'comma-separated private ranges that webhooks may call all the same, such as 127.0.0.0/8; metadata servers never',
  }),
  WEBHOOK_RETRY_SECONDS: Type.String({
    default: RETRY_PAUSES_S.join(','),
    pattern: '^\\d{1,6}(,\\d{1,6}){0,29}$',
    description: 'comma-separated pauses before attempts 2, 3, … of a delivery to a webhook',
  }),
  DATABASE_URL: url('postgres(ql)?', 'PostgreSQL 15 or later, as the role quoting_app'),
  DATABASE_POOL: Type.Integer({
    default: 8,
    minimum: 1,
    maximum: 200,
    description: 'connections a process keeps to PostgreSQL; about four times its cores',
  }),
  DATABASE_RELAY_URL: url('postgres(ql)?', 'the same database, as the role quoting_relay'),
  DATABASE_ADMIN_URL: url('postgres(ql)?', 'the same database, as the owner of its tables; used by migrations only'),
  TEMPORAL_ADDRESS: Type.String({ pattern: '^[^\\s/]+:\\d+$', description: 'host:port of the Temporal frontend' }),
  TEMPORAL_NAMESPACE: Type.String({ default: 'default', minLength: 1, description: 'Temporal namespace' }),
  TEMPORAL_TLS: Type.Boolean({ default: false, description: 'whether to speak TLS to Temporal' }),
  TEMPORAL_API_KEY: Type.Optional(Type.String({ minLength: 1, description: 'API key of Temporal Cloud' })),
  TEMPORAL_UI_URL: Type.Optional(url('https?', 'origin of the Temporal UI, for links to runs')),
  S3_ENDPOINT: url('https?', 'S3-compatible storage, as the service reaches it'),
  S3_PUBLIC_ENDPOINT: Type.Optional(
    url('https?', 'the same storage, as readers of presigned links reach it; default S3_ENDPOINT'),
  ),
  S3_REGION: Type.String({ default: 'us-east-1', minLength: 1, description: 'region that requests are signed for' }),
  S3_BUCKET: Type.String({ default: 'quoting', minLength: 3, description: 'bucket for PDFs and logos' }),
  S3_ACCESS_KEY_ID: Type.String({ minLength: 1, description: 'access key' }),
  S3_SECRET_ACCESS_KEY: Type.String({ minLength: 1, description: 'secret key' }),
  SMTP_URL: url('smtps?', 'mail server, with user and password where it wants them'),
  MAIL_FROM: Type.String({
    default: 'cotizaciones@localhost',
    pattern: '^[^\\s<>]+@[^\\s<>]+$',
    description: 'address that mails come from',
  }),
} satisfies TProperties;

/** Every name that the environment may hold for us. */
export const SETTING_NAMES: readonly string[] = Object.keys(settings);

const API = [
  'PROFILE', 'LOG_LEVEL', 'HOST', 'PORT', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'SIGNUP_PLAN', 'SESSION_SECRETS',
  'RATE_LIMITS', 'RATE_USER_PER_MINUTE', 'RATE_TENANT_PER_MINUTE',
  'RATE_ADDRESS_PER_MINUTE', 'RATE_LOGIN_PER_MINUTE', 'RATE_SHARE_PER_HOUR', 'RATE_WEBHOOK_TEST_PER_MINUTE',
  'RATE_UPLOAD_PER_HOUR', 'RATE_PUBLIC_PER_MINUTE',
  'ENCRYPTION_KEYS', 'OUTBOUND_ALLOW_CIDRS', 'DATABASE_URL', 'DATABASE_POOL', 'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE', 'TEMPORAL_TLS', 'TEMPORAL_API_KEY', 'TEMPORAL_UI_URL', 'S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT', 'S3_REGION', 'S3_BUCKET',
  'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY',
] as const; // prettier-ignore

const WORKER = [
  'PROFILE', 'LOG_LEVEL', 'PUBLIC_URL', 'ENCRYPTION_KEYS', 'OUTBOUND_ALLOW_CIDRS', 'WEBHOOK_RETRY_SECONDS',
  'DATABASE_URL', 'DATABASE_RELAY_URL', 'DATABASE_POOL', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_TLS', 'TEMPORAL_API_KEY', 'S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT',
  'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'SMTP_URL', 'MAIL_FROM',
] as const; // prettier-ignore

const MIGRATE = [
  'LOG_LEVEL', 'DATABASE_ADMIN_URL', 'DATABASE_URL', 'DATABASE_RELAY_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE',
  'TEMPORAL_TLS', 'TEMPORAL_API_KEY',
] as const; // prettier-ignore

const RECONCILE = [
  'LOG_LEVEL', 'DATABASE_RELAY_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_TLS', 'TEMPORAL_API_KEY',
] as const; // prettier-ignore

type Settings = typeof settings;
type ConfigOf<Names extends readonly (keyof Settings)[]> = Static<
  ReturnType<typeof Type.Object<Pick<Settings, Names[number]>>>
>;
export type ApiConfig = ConfigOf<typeof API>;
export type WorkerConfig = ConfigOf<typeof WORKER>;
export type MigrateConfig = ConfigOf<typeof MIGRATE>;
export type ReconcileConfig = ConfigOf<typeof RECONCILE>;

/** What a setting says of itself. */
type Annotated = TSchema & { readonly description?: string; readonly default?: unknown };

/** The environment is not what the schema asks for. The message names every setting, and shows no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

// Environment values are text: "8" becomes 8 and "true" true, as in a query string.
const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, removeAdditional: true, strict: false });

type Environment = Readonly<Record<string, string | undefined>>;

function read<Names extends readonly (keyof Settings)[]>(names: Names, env: Environment): ConfigOf<Names> {
  const properties: Record<string, Annotated> = Object.fromEntries(names.map((name) => [name, settings[name]]));
  // An empty value means "not set": compose files and .env.example leave lines empty.
  const given = Object.fromEntries(names.map((name) => [name, env[name]]).filter(([, value]) => value));
  const valid = ajv.compile<ConfigOf<Names>>(Type.Object(properties, { additionalProperties: false }));
  if (valid(given)) return given;

  const problems = (valid.errors ?? []).map(({ instancePath, params, message, keyword }) => {
    const name = keyword === 'required' ? String(params['missingProperty']) : instancePath.slice(1);
    const description = properties[name]?.description;
    return `  ${name}: ${keyword === 'required' ? 'is not set' : message} (${String(description)})`;
  });
  throw new ConfigError(`The configuration is not complete:\n${[...new Set(problems)].join('\n')}`);
}

// The one place that reads the environment.
export const readApiConfig = (env: Environment = process.env): ApiConfig => read(API, env);
export const readWorkerConfig = (env: Environment = process.env): WorkerConfig => read(WORKER, env);
export const readMigrateConfig = (env: Environment = process.env): MigrateConfig => read(MIGRATE, env);
export const readReconcileConfig = (env: Environment = process.env): ReconcileConfig => read(RECONCILE, env);

/** The text of `.env.example`: every setting with its meaning and default. */
export function envExample(): string {
  const lines = Object.entries<Annotated>(settings).map(([name, schema]) => {
    const fallback = schema.default;
    return `# ${String(schema.description)}\n${fallback === undefined ? `${name}=` : `# ${name}=${JSON.stringify(fallback).replaceAll('"', '')}`}`;
  });
  return `${lines.join('\n\n')}\n`;
}
