import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets } from '../../dev/secrets.ts';
import {
  ConfigError,
  envExample,
  readApiConfig,
  readCodecConfig,
  readMigrateConfig,
  readWorkerConfig,
} from '../../adapters/config.ts';

/** A complete environment: every setting without a default, for all processes. */
const WHOLE: Readonly<Record<string, string>> = {
  PUBLIC_URL: 'https://cotizaciones.example',
  SESSION_SECRETS: 'una-frase-secreta-de-al-menos-treinta-y-dos-letras',
  ENCRYPTION_KEYS: `k1:${createHash('sha256').update('k1').digest('base64')}`,
  DATABASE_URL: 'postgres://quoting_app:clave-de-app-41@db.example/quoting',
  DATABASE_DISPATCHER_URL: 'postgres://quoting_dispatcher:clave-de-dispatcher-41@db.example/quoting',
  DATABASE_ADMIN_URL: 'postgres://owner:clave-de-owner-41@db.example/quoting',
  TEMPORAL_ADDRESS: 'temporal.example:7233',
  S3_ENDPOINT: 'https://s3.example',
  S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI',
  SMTP_URL: 'smtp://user:clave@mail.example:587',
};

type Environment = Readonly<Record<string, string | undefined>>;
type Reader = (env: Environment) => unknown;

/** The message of the error that reading this environment throws. */
function complaint(env: Environment, readConfig: Reader = readApiConfig): string {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
  return '';
}

describe('adapters/config.ts', () => {
  it('fills in defaults and converts text to numbers and booleans', () => {
    const config = readApiConfig({ ...WHOLE, PORT: '8080', TEMPORAL_TLS: 'true' });

    const { PORT, HOST, TEMPORAL_TLS, TEMPORAL_NAMESPACE, SIGNUP_PLAN, PROFILE } = config;
    assert.deepEqual(
      { PORT, HOST, TEMPORAL_TLS, TEMPORAL_NAMESPACE, SIGNUP_PLAN, PROFILE },
      {
        PORT: 8080,
        HOST: '127.0.0.1',
        TEMPORAL_TLS: true,
        TEMPORAL_NAMESPACE: 'default',
        SIGNUP_PLAN: 'FREE',
        PROFILE: 'production',
      },
    );
  });

  it('refuses the same metrics port for the worker and for Temporal’s SDK', () => {
    const said = complaint({ ...WHOLE, METRICS_PORT: '9464', TEMPORAL_METRICS_PORT: '9464' }, readWorkerConfig);

    assert.match(
      said,
      /^The configuration has conflicting settings:\n {2}TEMPORAL_METRICS_PORT: equals the worker's METRICS_PORT/,
    );
  });

  it('treats an empty value as not set', () => {
    const config = readApiConfig({ ...WHOLE, PORT: '', TEMPORAL_API_KEY: '' });

    assert.deepEqual([config.PORT, config.TEMPORAL_API_KEY], [3000, undefined]);
  });

  it('ignores other variables of the environment', () => {
    const config = readApiConfig({ ...WHOLE, HOME: '/home/ana', AWS_SECRET: 'x' });

    assert.ok(!('HOME' in config) && !('AWS_SECRET' in config));
  });

  it('gives each process only the settings that it needs: the API no mail server, the worker no session secret', () => {
    const api = readApiConfig(WHOLE);
    const worker = readWorkerConfig(WHOLE);
    const migration = readMigrateConfig(WHOLE);

    assert.ok(!('SMTP_URL' in api) && !('DATABASE_ADMIN_URL' in api) && !('DATABASE_DISPATCHER_URL' in api));
    assert.ok(!('SESSION_SECRETS' in worker) && !('DATABASE_ADMIN_URL' in worker));
    assert.ok(!('S3_SECRET_ACCESS_KEY' in migration) && 'DATABASE_ADMIN_URL' in migration);
  });

  it('names all missing settings in one error, each with its meaning', () => {
    const message = complaint({});

    const named = [...message.matchAll(/^ {2}(\w+): is not set \(.+\)$/gm)].map(([, name = '']) => name);
    assert.deepEqual(named.toSorted(), [
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
      'PUBLIC_URL',
      'S3_ACCESS_KEY_ID',
      'S3_ENDPOINT',
      'S3_SECRET_ACCESS_KEY',
      'SESSION_SECRETS',
      'TEMPORAL_ADDRESS',
    ]);
  });

  it('names invalid settings together with missing ones', () => {
    const { S3_ENDPOINT: _left, ...rest } = WHOLE;

    const message = complaint({ ...rest, PORT: 'ochenta', PROFILE: 'prod', DATABASE_URL: 'mysql://db' });

    const named = [...message.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name);
    assert.deepEqual(named.toSorted(), ['DATABASE_URL', 'PORT', 'PROFILE', 'S3_ENDPOINT']);
  });

  it('refuses the former name of a setting and names the new one', () => {
    const { DATABASE_DISPATCHER_URL: url, ...others } = WHOLE;

    const message = complaint({ ...others, DATABASE_RELAY_URL: url }, readWorkerConfig);

    assert.equal(message, 'DATABASE_RELAY_URL is now called DATABASE_DISPATCHER_URL');
    // The API does not read it under either name.
    assert.equal(complaint({ ...others, DATABASE_RELAY_URL: url }), '');
  });

  it('prints no value, because any may be a secret', () => {
    const secret = 'contraseña-que-nadie-debe-ver';
    const wrong = Object.fromEntries(Object.keys(WHOLE).map((name) => [name, ` ${secret} `]));

    const messages = [
      complaint({ ...wrong, PORT: secret, TEMPORAL_TLS: secret, PROFILE: secret }),
      complaint(wrong, readWorkerConfig),
      complaint(wrong, readMigrateConfig),
    ];

    assert.ok(messages.every((message) => message !== ''));
    assert.ok(!messages.join().includes(secret));
  });

  it('refuses short session secrets and keys that are not 32 bytes', () => {
    const message = complaint({ ...WHOLE, SESSION_SECRETS: 'corta', ENCRYPTION_KEYS: 'k1:AAAA' });

    assert.match(message, /SESSION_SECRETS: .*\n.*ENCRYPTION_KEYS: |ENCRYPTION_KEYS: .*\n.*SESSION_SECRETS: /);
  });

  it('accepts several session secrets and keys, for rotation', () => {
    const twice = { SESSION_SECRETS: `${WHOLE['SESSION_SECRETS']},otra-frase-secreta-de-treinta-y-dos-letras` };

    const config = readApiConfig({ ...WHOLE, ...twice });

    assert.equal(config.SESSION_SECRETS, twice.SESSION_SECRETS);
  });
});

describe('secrets in production', () => {
  const random = (id: string) => `${id}:${createHash('sha256').update(id).digest('base64')}`;
  const named = (message: string) => [...message.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name);

  it('long but guessable secrets are refused, all in one error, by name and without their value', () => {
    const weak = {
      SESSION_SECRETS: `${WHOLE['SESSION_SECRETS']},${'abc123'.repeat(6)}`,
      ENCRYPTION_KEYS: `${random('k2')},k1:${Buffer.alloc(32, 7).toString('base64')}`,
      S3_SECRET_ACCESS_KEY: 'minioadmin',
      DATABASE_URL: 'postgres://quoting_app:Postgres@db.example/quoting',
    };

    const message = complaint({ ...WHOLE, ...weak });

    assert.deepEqual(named(message), ['SESSION_SECRETS', 'ENCRYPTION_KEYS', 'S3_SECRET_ACCESS_KEY', 'DATABASE_URL']);
    assert.doesNotMatch(message, /abc123|BwcH|minioadmin|Postgres@/);
  });

  it('guessable secrets are refused by the worker too', () => {
    const weak = {
      DATABASE_DISPATCHER_URL: 'postgres://quoting_dispatcher:changeme@db.example/quoting',
      SMTP_URL: 'smtp://user:password@mail.example:587',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    };

    assert.deepEqual(named(complaint({ ...WHOLE, ...weak }, readWorkerConfig)), [
      'ENCRYPTION_KEYS',
      'DATABASE_DISPATCHER_URL',
      'SMTP_URL',
    ]);
  });

  for (const [kind, password] of [
    ['short', 'k3$x9'],
    ['of few characters', '0a0a0a0a0a'],
    ['known to everybody', 'Passw0rd'],
    ['the name of its role', 'quoting_owner'],
  ]) {
    it(`the migrations refuse a database password that is ${kind}`, () => {
      const DATABASE_ADMIN_URL = `postgres://quoting_owner:${password}@db.example/quoting`;

      assert.deepEqual(named(complaint({ ...WHOLE, DATABASE_ADMIN_URL }, readMigrateConfig)), ['DATABASE_ADMIN_URL']);
    });
  }

  it('a database URL may have no password: the server then authenticates the client by other means', () => {
    assert.equal(complaint({ ...WHOLE, DATABASE_URL: 'postgres://quoting_app@db.example/quoting' }), '');
  });

  it('guessable secrets are refused by the codec server', () => {
    const codec = { CODEC_TOKEN: 'abc'.repeat(12), TEMPORAL_PAYLOAD_KEYS: random('t1') };

    assert.deepEqual(named(complaint({ ...WHOLE, ...codec }, readCodecConfig)), ['CODEC_TOKEN']);
  });

  it('two keys with one id are refused, because only one of them would decrypt', () => {
    const twice = `${random('k1')},k1:${createHash('sha256').update('other').digest('base64')}`;

    assert.match(complaint({ ...WHOLE, ENCRYPTION_KEYS: twice }), /ENCRYPTION_KEYS: two keys have the same id/);
  });

  it('guessable secrets are accepted where only this machine is served', () => {
    const weak = { SESSION_SECRETS: 'x'.repeat(32), S3_SECRET_ACCESS_KEY: 'minioadmin' };

    assert.equal(complaint({ ...WHOLE, ...weak, PROFILE: 'embedded' }), '');
    assert.equal(complaint({ ...WHOLE, ...weak, PROFILE: 'test' }), '');
  });

  it('the generated secrets of two embedded stacks have nothing in common', async () => {
    const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'quoting-secrets-'))));
    const [one, two] = folders.map((folder) => Object.values(loadSecrets(folder)).flat());

    assert.deepEqual(
      one?.filter((secret) => two?.includes(secret)),
      [],
    );
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  });
});

describe('unsafe settings', () => {
  const unsafe = (settings: Environment, readConfig?: Reader) => complaint({ ...WHOLE, ...settings }, readConfig);

  it('production refuses a PUBLIC_URL with http', () => {
    const said = unsafe({ PUBLIC_URL: 'http://cotizaciones.example' });

    assert.equal(
      said,
      'The configuration is unsafe:\n  PUBLIC_URL: is http, so passwords and links would be sent unencrypted; only a loopback address may be http',
    );
    assert.equal(unsafe({ PUBLIC_URL: 'http://cotizaciones.example' }, readWorkerConfig), said);
  });

  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:3000', '127.8.9.1', '[::1]:3000']) {
    it(`http://${host} is accepted in production`, () => assert.equal(unsafe({ PUBLIC_URL: `http://${host}` }), ''));
  }

  for (const host of ['127.0.0.1.example', 'localhost.example', '10.0.0.1', '[::2]', '0.0.0.0']) {
    it(`http://${host} is refused in production`, () =>
      assert.match(unsafe({ PUBLIC_URL: `http://${host}` }), /PUBLIC_URL: is http/));
  }

  it('production refuses limits that are off', () => {
    const said = unsafe({ RATE_LIMITS: 'off' });

    assert.equal(
      said,
      'The configuration is unsafe:\n  RATE_LIMITS: is off, which only the profiles embedded and test allow, for load tests',
    );
    assert.equal(unsafe({ RATE_LIMITS: 'off' }, readWorkerConfig), said);
  });

  it('all unsafe settings are reported in one error, each with its reason', () => {
    const said = unsafe({
      PUBLIC_URL: 'http://cotizaciones.example',
      RATE_LIMITS: 'off',
      S3_SECRET_ACCESS_KEY: 'secret',
    });

    assert.deepEqual(
      [...said.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name),
      ['S3_SECRET_ACCESS_KEY', 'PUBLIC_URL', 'RATE_LIMITS'],
    );
  });

  for (const PROFILE of ['embedded', 'test']) {
    for (const HOST of ['0.0.0.0', '::', '192.168.1.7', 'cotizaciones.example']) {
      it(`the profile ${PROFILE} refuses HOST=${HOST}`, () =>
        assert.equal(
          unsafe({ PROFILE, HOST }),
          'The configuration is unsafe:\n  HOST: is no loopback address; a service for others needs the profile production',
        ));
    }

    it(`the profile ${PROFILE} refuses a metrics address that is not loopback`, () =>
      assert.match(unsafe({ PROFILE, METRICS_HOST: '0.0.0.0' }), /^ {2}METRICS_HOST: is no loopback address/m));

    it(`the profile ${PROFILE} accepts http, no limits, and any loopback address`, () => {
      const settings = { PROFILE, PUBLIC_URL: 'http://cotizaciones.example', RATE_LIMITS: 'off' };

      assert.deepEqual(
        ['localhost', '127.0.0.2', '::1'].map((HOST) => unsafe({ ...settings, HOST })),
        ['', '', ''],
      );
    });
  }

  it('production accepts any HOST', () => assert.equal(unsafe({ HOST: '0.0.0.0', METRICS_HOST: '0.0.0.0' }), ''));
});

describe('.env.example', () => {
  const file = () => readFile(new URL('../../.env.example', import.meta.url), 'utf8');

  it('equals the documentation of the settings', async () => {
    assert.equal(await file(), envExample(), 'write the text of envExample() to .env.example again');
  });

  it('names every setting of every process once, with its meaning above', async () => {
    const lines = (await file()).split('\n');

    const named = lines.flatMap((line) => /^(?:# )?([A-Z][A-Z0-9_]+)=/.exec(line)?.[1] ?? []);
    const known = [readApiConfig, readWorkerConfig, readMigrateConfig].flatMap((read) => Object.keys(read(WHOLE)));
    assert.deepEqual(
      known.filter((name) => !named.includes(name)),
      [],
    );
    assert.equal(new Set(named).size, named.length);
  });

  it('contains no secret: settings without a default are empty', async () => {
    const filled = (await file()).split('\n').filter((line) => /^[A-Z0-9_]+=./.test(line));

    assert.deepEqual(filled, []);
  });
});
