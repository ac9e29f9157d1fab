import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { readApiConfig, readMigrateConfig, readWorkerConfig } from '../../adapters/config.ts';

// Checks the settings of the manifests against the schema of the processes; kubernetes.build.test.ts checks the
// manifests against the schemas of Kubernetes.

interface Container {
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly secretRef?: { readonly name: string } }[];
  readonly securityContext: object;
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
  readonly livenessProbe?: {
    readonly httpGet?: { readonly path: string };
    readonly exec?: { readonly command: readonly string[] };
  };
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: { readonly containers: readonly Container[]; readonly securityContext: object };
    };
    readonly selector?: { readonly matchLabels?: object };
  };
}

const root = new URL('../../', import.meta.url);
const folder = new URL('deploy/kubernetes/', root);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

const manifests = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
  // kubernetes.build.test.ts checks them against the schemas.
  .flatMap((file) => parseAllDocuments(read(file), { merge: true }).map((each) => each.toJS() as Manifest));
const named = (name: string): Manifest => {
  const found = manifests.find(({ kind, metadata }) => metadata.name === name && ['Deployment', 'Job'].includes(kind));
  assert.ok(found, `there is no ${name}`);
  return found;
};
const containerOf = (name: string): Container => {
  const [container] = named(name).spec?.template?.spec.containers ?? [];
  assert.ok(container);
  return container;
};

const database = (user: string) => `postgres://${user}:f2c81d6a0b9e@db/quoting`;
/** The secrets that the comment in settings.yaml tells to create, with values of the right form. */
const VALUES: Readonly<Record<string, string>> = {
  DATABASE_URL: database('quoting_app'),
  DATABASE_DISPATCHER_URL: database('quoting_dispatcher'),
  DATABASE_ADMIN_URL: database('quoting_owner'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  S3_ACCESS_KEY_ID: 'quoting',
  S3_SECRET_ACCESS_KEY: randomBytes(32).toString('hex'),
  SESSION_SECRETS: randomBytes(32).toString('base64url'),
  SMTP_URL: 'smtp://mail:25',
};
const secrets = new Map(
  [
    ...read('settings.yaml')
      .replaceAll(/ \\\n# +/g, ' ')
      .matchAll(/secret generic (\S+) (.*)/g),
  ].map(([, name = '', literals = '']) => [
    name,
    [...literals.matchAll(/--from-literal=([A-Z0-9_]+)=/g)].map(([, setting = '']) => setting),
  ]),
);

/** The environment of a process, from the manifests and the secrets. */
function environmentOf(name: string): Record<string, string> {
  const { env = [], envFrom } = containerOf(name);
  const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  const given = envFrom.flatMap(({ secretRef }) =>
    secretRef ? (secrets.get(secretRef.name) ?? [`no ${secretRef.name}`]) : [],
  );
  return {
    ...settings,
    ...Object.fromEntries(given.map((setting) => [setting, VALUES[setting] ?? ''])),
    ...Object.fromEntries(env.map((each) => [each.name, each.value])),
  };
}

describe('deploy/kubernetes', () => {
  it('gives API, worker and migrations settings that they accept, and no secret that they do not need', () => {
    const api = environmentOf('quoting-api');
    const worker = environmentOf('quoting-worker');
    const migrate = environmentOf('quoting-migrate');

    assert.equal(readApiConfig(api).HOST, '0.0.0.0');
    assert.equal(readWorkerConfig(worker).MAIL_FROM, 'cotizaciones@example.mx');
    assert.match(readMigrateConfig(migrate).DATABASE_ADMIN_URL, /quoting_owner/);
    assert.ok(!('DATABASE_ADMIN_URL' in api) && !('DATABASE_ADMIN_URL' in worker) && !('SESSION_SECRETS' in worker));
  });

  it('runs programs of the build, not as root and on a read-only file system', () => {
    const names = ['quoting-api', 'quoting-worker', 'quoting-migrate'];

    const programs = names.map((name) => containerOf(name).command.at(-1) ?? '');
    const sources = programs.map((program) => program.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
    assert.ok(
      sources.every((source) => existsSync(new URL(source, root))),
      String(sources),
    );
    const pods = names.map((name) => named(name).spec?.template?.spec.securityContext);
    assert.ok(pods.every((context) => JSON.stringify(context).includes('"runAsNonRoot":true')));
    const containers = names.map((name) => containerOf(name).securityContext);
    assert.ok(containers.every((context) => JSON.stringify(context).includes('"readOnlyRootFilesystem":true')));
  });

  it("uses /readyz for the API's readiness and /healthz for its liveness", () => {
    const { readinessProbe, livenessProbe } = containerOf('quoting-api');

    assert.deepEqual([readinessProbe?.httpGet.path, livenessProbe?.httpGet?.path], ['/readyz', '/healthz']);
  });

  it('restarts the worker when the health check of the image fails, whose folder it mounts', () => {
    const { livenessProbe, env = [] } = containerOf('quoting-worker');

    const [, check = ''] =
      /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(readFileSync(new URL('Dockerfile', root), 'utf8')) ?? [];
    assert.deepEqual(livenessProbe?.exec?.command, JSON.parse(check));
    assert.deepEqual(env, []);
  });

  it('selects the pods that its templates label', () => {
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');

    assert.equal(deployments.length, 2);
    assert.deepEqual(
      deployments.map(({ spec }) => spec?.selector?.matchLabels),
      deployments.map(({ spec }) => spec?.template?.metadata.labels),
    );
  });
});
