import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { readApiConfig, readMigrateConfig, readWorkerConfig } from '../../adapters/config.ts';
import { SERVER_SETTINGS } from '../../dev/temporal.ts';
import { ensureTool } from '../../dev/tools.ts';
import { command } from '../ops/commands.ts';

// Images cannot run everywhere the tests do, so the file is checked against the Compose Specification's own schema
// (of the package dclint, which exports no path to it), and its settings, with the secrets that are generated for it,
// against the schema of the processes.

const execute = promisify(execFile);

interface Service {
  readonly image?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly restart?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const root = new URL('../../', import.meta.url);
const read = (name: string) => fs.readFileSync(new URL(name, root), 'utf8');
const source = read('docker-compose.yml');

/** What the operator must set: every `${NAME:?…}`. */
const required = new Set([...source.matchAll(/\$\{([A-Z_0-9]+):\?/g)].map(([, name = '']) => name));

/** Names and values of a file as Compose parses it. */
const settingsIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/^([A-Z_0-9]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

/** The file as Compose sees it: variables filled in, anchors and merges resolved. */
function composeWith(given: Readonly<Record<string, string>>): {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
} {
  const filled = source.replaceAll(
    /\$\{([A-Z_0-9]+)(?::[-?]([^}]*))?\}/g,
    (_, name: string, fallback?: string) => given[name] || (fallback ?? ''),
  );
  return parse(filled, { merge: true }) as ReturnType<typeof composeWith>; // checked against the schema below
}

describe('docker-compose.yml', () => {
  let folder: string;
  let file: string;
  let given: Readonly<Record<string, string>>;
  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoting-compose-'));
    file = path.join(folder, '.env');
    const { code, complaint } = await command({}, 'secrets', 'make', file);
    assert.equal(code, 0, complaint);
    given = settingsIn(fs.readFileSync(file, 'utf8'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  const compose = () => composeWith(given);

  it('follows the Compose Specification', () => {
    const schema = JSON.parse(read('node_modules/dclint/schemas/compose.schema.json')) as { $schema?: string };
    delete schema.$schema; // names draft 7 in a form that ajv does not recognise
    const valid = new Ajv({ strict: false, validateFormats: false }).compile(schema);

    valid(compose());

    assert.deepEqual(valid.errors, null);
  });

  it('gives Temporal the settings with which it is tested', () => {
    const { content } = compose().configs['temporal-settings'] ?? {};

    const expected = Object.entries(SERVER_SETTINGS).map(([key, value]) => [key, [{ value }]]);
    assert.deepEqual(parse(content ?? ''), Object.fromEntries(expected));
  });

  it('gives the API, the worker and the migrations settings that they accept', () => {
    const { api, worker, migrate } = compose().services;

    assert.equal(readApiConfig(api?.environment).PROFILE, 'production');
    assert.equal(readWorkerConfig(worker?.environment).SMTP_URL, 'smtp://mail:1025');
    assert.match(readMigrateConfig(migrate?.environment).DATABASE_ADMIN_URL, /quoting_owner/);
  });

  it('contains no secret: every password and key must be set', () => {
    const names = [...source.matchAll(/\$\{([A-Z_0-9]*(?:PASSWORD|SECRETS?|SECRET_ACCESS_KEY|KEYS?))\b(:[-?])?/g)];

    assert.ok(names.length > 8);
    assert.deepEqual(
      names.filter(([, , operator]) => operator !== ':?'),
      [],
    );
  });

  it('requires only variables that the file of secrets make sets', () => {
    assert.ok(required.size > 10);
    assert.deepEqual(
      [...required].filter((name) => !given[name]),
      [],
    );
    assert.deepEqual(
      Object.keys(given).filter((name) => !source.includes(`\${${name}`)),
      [],
    );
  });

  it('uses the versions of the Temporal server, its tools and its UI with which the product is tested', async () => {
    const { stdout } = await execute(await ensureTool('temporal'), ['--version']);
    const [, server, ui] = /\(Server ([\d.]+), UI ([\d.]+)\)/.exec(stdout) ?? assert.fail(stdout);

    const images = Object.values(compose().services).flatMap(({ image = '' }) =>
      /temporal/.test(image) ? [image] : [],
    );

    assert.deepEqual(
      [...new Set(images)].toSorted(),
      [`temporalio/admin-tools:${server}`, `temporalio/server:${server}`, `temporalio/ui:${ui}`].toSorted(),
    );
  });

  it('has scripts that the shell can parse', async () => {
    const scripts = Object.values(compose().services).flatMap(
      ({ entrypoint: [shell, flags] = [], command: [script] = [] }) =>
        shell === '/bin/sh' && flags?.endsWith('c') && script !== undefined ? [script.replaceAll('$$', '$')] : [],
    );

    assert.equal(scripts.length, 2);
    for (const script of scripts) await execute('/bin/sh', ['-n', '-c', script]);
  });

  it('publishes ports on the loopback address only', () => {
    const ports = Object.values(compose().services).flatMap((service) => service.ports ?? []);

    assert.ok(ports.length > 3);
    assert.deepEqual(
      ports.filter((port) => !port.startsWith('127.0.0.1:')),
      [],
    );
  });

  it('pins every image that it does not build, as the Dockerfile does, and has health checks for each dependency', () => {
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

describe('npm run quoting -- secrets make', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoting-secrets-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('writes a file that only its owner can read', async () => {
    const file = path.join(folder, 'compose.env');

    const { code, out } = await command({}, 'secrets', 'make', file);

    assert.deepEqual([code, fs.statSync(file).mode & 0o777], [0, 0o600]);
    assert.doesNotMatch(
      out,
      new RegExp(
        Object.values(settingsIn(fs.readFileSync(file, 'utf8')))
          .filter((value) => value.length > 30)
          .join('|'),
      ),
    );
  });

  it('does not overwrite a file, and exits with 1', async () => {
    const file = path.join(folder, '.env');
    fs.writeFileSync(file, 'ENCRYPTION_KEYS=mine\n');

    const { code, complaint } = await command({}, 'secrets', 'make', file);

    assert.equal(code, 1);
    assert.match(complaint, /ya existe/);
    assert.equal(fs.readFileSync(file, 'utf8'), 'ENCRYPTION_KEYS=mine\n');
  });

  it('prints other secrets each time, all different, for the argument -', async () => {
    const [one, other] = [await command({}, 'secrets', 'make', '-'), await command({}, 'secrets', 'make', '-')];

    const secrets = [one, other].flatMap(({ out }) =>
      Object.values(settingsIn(out)).filter((value) => value.length > 30),
    );
    assert.equal(secrets.length, 18);
    assert.equal(new Set(secrets).size, 18);
  });

  it('exits with 2 for more than one argument', async () => {
    assert.equal((await command({}, 'secrets', 'make', '-', 'x')).code, 2);
  });
});
