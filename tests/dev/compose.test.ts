import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { readApiConfig, readMigrateConfig, readWorkerConfig } from '../../adapters/config.ts';
import { SWITCHED_ON } from '../../dev/temporal.ts';

// Images cannot run everywhere the tests do, so the file is held to the Compose Specification's own schema
// (compose-spec.schema.json, a copy) and its settings to the schema that the processes read theirs with.

interface Service {
  readonly image?: string;
  readonly restart?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const root = new URL('../../', import.meta.url);
const read = (name: string) => fs.readFileSync(new URL(name, root), 'utf8');
const source = read('docker-compose.yml');

/** What the operator must give: every `${NAME:?…}`. */
const required = new Set([...source.matchAll(/\$\{([A-Z_0-9]+):\?/g)].map(([, name = '']) => name));

const given: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...required].map((name) => [name, randomBytes(20).toString('hex')])),
  PUBLIC_URL: 'https://quotes.example',
  S3_PUBLIC_ENDPOINT: 'https://files.example',
  SESSION_SECRETS: randomBytes(32).toString('base64url'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};

/** The file as compose sees it: variables filled in, anchors and merges resolved. */
function compose(): {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
} {
  const filled = source.replaceAll(
    /\$\{([A-Z_0-9]+)(?::[-?]([^}]*))?\}/g,
    (_, name: string, fallback?: string) => given[name] ?? fallback ?? '',
  );
  return parse(filled, { merge: true }) as ReturnType<typeof compose>; // checked against the schema below
}

describe('docker-compose.yml', () => {
  it('follows the Compose Specification', () => {
    const schema = JSON.parse(read('tests/dev/compose-spec.schema.json')) as { $schema?: string };
    delete schema.$schema; // names draft 7 in a form that ajv does not know by heart
    const valid = new Ajv({ strict: false, validateFormats: false }).compile(schema);

    valid(compose());

    assert.deepEqual(valid.errors, null);
  });

  it('gives Temporal the settings with which it is tested', () => {
    const { content } = compose().configs['temporal-settings'] ?? {};

    assert.deepEqual(parse(content ?? ''), Object.fromEntries(SWITCHED_ON.map((key) => [key, [{ value: true }]])));
  });

  it('gives the API, the worker and the migrations settings that they accept', () => {
    const { api, worker, migrate } = compose().services;

    assert.equal(readApiConfig(api?.environment).PROFILE, 'production');
    assert.equal(readWorkerConfig(worker?.environment).SMTP_URL, 'smtp://mail:1025');
    assert.match(readMigrateConfig(migrate?.environment).DATABASE_ADMIN_URL, /quoting_owner/);
  });

  it('has no secret of its own: every password and key must be given', () => {
    const names = [...source.matchAll(/\$\{([A-Z_0-9]*(?:PASSWORD|SECRETS?|SECRET_ACCESS_KEY|KEYS?))\b(:[-?])?/g)];

    assert.ok(names.length > 8);
    assert.deepEqual(
      names.filter(([, , operator]) => operator !== ':?'),
      [],
    );
  });

  it('lists every required variable in .env.compose.example, without a value', () => {
    const example = new Map(
      [...read('.env.compose.example').matchAll(/^([A-Z_0-9]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );

    assert.deepEqual(
      [...required].filter((name) => example.get(name) !== ''),
      [],
    );
  });

  it('publishes ports on the loopback address only', () => {
    const ports = Object.values(compose().services).flatMap((service) => service.ports ?? []);

    assert.ok(ports.length > 3);
    assert.deepEqual(
      ports.filter((port) => !port.startsWith('127.0.0.1:')),
      [],
    );
  });

  it('pins every image that it does not build, as the Dockerfile does, and checks the health of what others wait for', () => {
    const { services } = compose();
    const awaited = Object.values(services).flatMap(({ depends_on = {} }) =>
      Object.entries(depends_on).flatMap(([name, { condition }]) => (condition === 'service_healthy' ? [name] : [])),
    );

    assert.deepEqual(
      Object.values(services).filter(({ image = '' }) => image !== 'quoting' && !/:v?\d+\.\d+/.test(image)),
      [],
    );
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)];
    assert.deepEqual(
      bases.filter(([, image = '']) => !/:\d+\.\d+\.\d+(-|$)/.test(image)),
      [],
    );
    assert.deepEqual(
      awaited.filter((name) => !services[name]?.healthcheck),
      [],
    );
  });
});
