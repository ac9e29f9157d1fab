import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, IService } from 'kubernetes-models/v1';
import type { IPodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { describedSettings } from '../../adapters/config.ts';
import { schemaErrors, typeErrors, type Typed } from './kubernetes-schemas.ts';
import { kustomize } from './kustomize.ts';

interface Kinds {
  readonly ConfigMap: IConfigMap;
  readonly Deployment: IDeployment;
  readonly HorizontalPodAutoscaler: IHorizontalPodAutoscaler;
  readonly Ingress: IIngress;
  readonly Job: IJob;
  readonly NetworkPolicy: INetworkPolicy;
  readonly PodDisruptionBudget: IPodDisruptionBudget;
  readonly PodMonitor: IPodMonitor;
  readonly Service: IService;
}
type Labels = Readonly<Record<string, string>>;
type Policy = NonNullable<INetworkPolicy['spec']>;
type Port = NonNullable<NonNullable<Policy['egress']>[number]['ports']>[number];
type Peer = NonNullable<NonNullable<Policy['egress']>[number]['to']>[number];

const root = new URL('../../', import.meta.url);
const COMPONENT = 'app.kubernetes.io/component';
/** The components' names in docs/architecture.md, and those in the namespaces of the example. */
const NAMES: Labels = {
  api: 'API',
  worker: 'worker',
  migrate: 'migrations',
  'ingress-nginx': 'ingress',
  monitoring: 'Prometheus',
  'kube-system': 'DNS',
  postgresql: 'PostgreSQL',
  temporal: 'Temporal',
};
const nameOf = (label = ''): string => NAMES[label] ?? `nothing in docs/architecture.md: ${label}`;

const isSelected = (labels: Labels, selected: Labels = {}): boolean =>
  Object.entries(selected).every(([name, value]) => labels[name] === value);

const portText = ({ protocol = 'TCP', port = '', endPort }: Port): string =>
  `${protocol === 'TCP' ? '' : `${protocol} `}${port}${endPort === undefined ? '' : `–${endPort}`}`;
const peerText = ({ namespaceSelector, ipBlock }: Peer): string =>
  ipBlock ? 'public addresses' : nameOf(namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name']);

describe('deploy/kubernetes, built', function () {
  // Takes minutes only when Go must compile kustomize first.
  this.timeout(600_000);
  let manifests: readonly Typed[];
  before(() => {
    // The schemas are checked below; the first test fails when a manifest is not of its kind.
    manifests = kustomize(fileURLToPath(new URL('deploy/kubernetes', root))) as readonly Typed[];
  });

  const all = <K extends keyof Kinds>(kind: K): readonly Kinds[K][] =>
    manifests.filter((manifest) => manifest.kind === kind) as unknown as readonly Kinds[K][];
  const templates = () => [...all('Deployment'), ...all('Job')].map(({ spec }) => spec?.template);
  const pods = () =>
    templates().map((template) => ({
      labels: template?.metadata?.labels ?? {},
      ports: template?.spec?.containers.flatMap(({ ports = [] }) => ports) ?? [],
    }));
  const settings = () => all('ConfigMap')[0]?.data ?? {};

  it('every manifest has a schema and follows it without an unknown member', async () => {
    const errors = await Promise.all(manifests.map(schemaErrors));

    assert.deepEqual(errors.flat(), []);
    assert.equal(typeErrors(manifests), '');
    const kinds = ['HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'PodMonitor'];
    assert.deepEqual(
      kinds.filter((kind) => !manifests.some((manifest) => manifest.kind === kind)),
      [],
    );
  });

  it('images have an exact version, ours that of package.json', () => {
    const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };

    const images = templates().flatMap((template) => template?.spec?.containers.map(({ image }) => image) ?? []);

    assert.deepEqual(new Set(images), new Set([`quoting:${version}`]));
  });

  it('the allowed flows are those of docs/architecture.md and no others', () => {
    const allowed = all('NetworkPolicy').flatMap(({ spec }) =>
      pods()
        .filter(({ labels }) => isSelected(labels, spec?.podSelector?.matchLabels))
        .flatMap(({ labels }) => {
          const own = nameOf(labels[COMPONENT]);
          // A rule without peers or ports would allow all of them.
          const inward = (spec?.ingress ?? []).flatMap(({ from, ports }) =>
            (from ?? [{}]).flatMap((peer) =>
              (ports ?? [{}]).map((port) => `${peerText(peer)} → ${own}: ${portText(port)}`),
            ),
          );
          const outward = (spec?.egress ?? []).flatMap(({ to, ports }) =>
            (to ?? [{}]).flatMap((peer) =>
              (ports ?? [{}]).map((port) => `${own} → ${peerText(peer)}: ${portText(port)}`),
            ),
          );
          return [...inward, ...outward];
        }),
    );

    const [, table = ''] = readFileSync(new URL('docs/architecture.md', root), 'utf8').split('## Network flows');
    const documented = [...table.matchAll(/^\| (?!from )([^|-][^|]*)\|([^|]+)\|([^|]+)\|$/gm)].flatMap(
      ([, from = '', to = '', ports = '']) =>
        from.split(',').flatMap((each) =>
          ports
            .replaceAll('`', '')
            .split(',')
            .map((port) => `${each.trim()} → ${to.replace(/:.*/, '').trim()}: ${port.trim()}`),
        ),
    );
    assert.ok(documented.length > 15);
    assert.deepEqual([...new Set(allowed)].toSorted(), documented.toSorted());
  });

  it('every pod is denied all flows without a rule, in both directions', () => {
    const isDenied = ({ labels }: { readonly labels: Labels }) =>
      all('NetworkPolicy').some(
        ({ spec }) =>
          spec?.policyTypes?.length === 2 &&
          !spec.ingress &&
          !spec.egress &&
          isSelected(labels, spec.podSelector?.matchLabels),
      );

    assert.equal(pods().length, 3);
    assert.ok(pods().every(isDenied));
  });

  it('private and link-local addresses do not count as public', () => {
    const blocks = all('NetworkPolicy')
      .flatMap(({ spec }) => spec?.egress ?? [])
      .flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));

    const v4 = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];
    const v6 = ['::1/128', 'fc00::/7', 'fe80::/10'];
    assert.equal(blocks.length, 6);
    for (const { cidr, except } of blocks) assert.deepEqual(except, cidr === '::/0' ? v6 : v4);
  });

  it('named ports exist in the containers, with the numbers of the settings', () => {
    const ports = new Map(pods().flatMap((pod) => pod.ports.map(({ name, containerPort }) => [name, containerPort])));

    const inward = all('NetworkPolicy').flatMap(({ spec }) =>
      (spec?.ingress ?? []).flatMap((rule) =>
        (rule.ports ?? []).map(({ port }) => ({ port, selected: spec?.podSelector?.matchLabels ?? {} })),
      ),
    );
    for (const { port, selected } of inward) {
      const targets = pods().filter(({ labels }) => isSelected(labels, selected));
      assert.ok(targets.length > 0);
      assert.ok(
        targets.every((pod) => pod.ports.some(({ name }) => name === port)),
        String(port),
      );
    }
    assert.equal(String(ports.get('metrics')), settings()['METRICS_PORT']);
    assert.equal(String(ports.get('temporal-metrics')), settings()['TEMPORAL_METRICS_PORT']);
    assert.equal(settings()['TEMPORAL_ADDRESS'], 'temporal-frontend.temporal.svc:7233');
  });

  it('services, disruption budgets and topology spread select existing pods', () => {
    const components = all('Deployment').map(({ spec }) => spec?.template.metadata?.labels ?? {});
    const selectors = [
      ...all('Service').map(({ spec }) => spec?.selector),
      ...all('PodDisruptionBudget').map(({ spec }) => spec?.selector?.matchLabels),
    ];

    for (const selector of selectors) {
      assert.ok(selector?.[COMPONENT]);
      assert.equal(components.filter((labels) => isSelected(labels, selector)).length, 1);
    }
    for (const { spec } of all('Deployment')) {
      const spread = spec?.template.spec?.topologySpreadConstraints ?? [];
      assert.deepEqual(
        spread.map(({ topologyKey }) => topologyKey),
        ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
      );
      const own = spec?.template.metadata?.labels;
      assert.ok(spread.every(({ labelSelector }) => assert.deepEqual(labelSelector?.matchLabels, own) === undefined));
    }
  });

  it('each metrics port of API and worker is scraped', () => {
    const [monitor] = all('PodMonitor');
    const { matchLabels = {}, matchExpressions = [] } = monitor?.spec.selector ?? {};

    const scraped = pods()
      .filter(({ labels }) => isSelected(labels, matchLabels))
      .filter(({ labels }) => matchExpressions.every(({ key, values }) => values?.includes(labels[key] ?? '')))
      .flatMap(({ labels, ports }) =>
        ports
          .filter(({ name }) => monitor?.spec.podMetricsEndpoints?.some(({ port }) => port === name))
          .map(({ name }) => `${labels[COMPONENT]} ${name}`),
      );

    assert.deepEqual(scraped.toSorted(), ['api metrics', 'worker metrics', 'worker temporal-metrics']);
    assert.ok(monitor?.spec.podMetricsEndpoints?.every(({ path }) => path === '/metrics'));
  });

  it('the API is published at PUBLIC_URL over TLS, behind as many proxies as TRUSTED_PROXIES says', () => {
    const [ingress] = all('Ingress');
    const { protocol, hostname } = new URL(settings()['PUBLIC_URL'] ?? '');

    assert.equal(protocol, 'https:');
    assert.deepEqual(
      ingress?.spec?.rules?.map(({ host }) => host),
      [hostname],
    );
    assert.deepEqual(
      ingress?.spec?.tls?.flatMap(({ hosts }) => hosts),
      [hostname],
    );
    const backend = ingress?.spec?.rules?.[0]?.http?.paths[0]?.backend.service;
    const service = all('Service').find(({ metadata }) => metadata?.name === backend?.name);
    assert.ok(service?.spec?.ports?.some(({ name }) => name === backend?.port?.name));
    assert.equal(settings()['TRUSTED_PROXIES'], '1');
  });

  it('deployments scale at most to what 100 connections of PostgreSQL allow during a rolling update', () => {
    const most = new Map(
      all('HorizontalPodAutoscaler').map(({ spec }) => [spec?.scaleTargetRef.name, spec?.maxReplicas ?? 0]),
    );
    const pool =
      settings()['DATABASE_POOL'] ?? describedSettings().find(({ name }) => name === 'DATABASE_POOL')?.fallback;

    const pods = all('Deployment').map(({ metadata, spec }) => {
      const replicas = most.get(metadata?.name ?? '');
      assert.ok(replicas, `${metadata?.name} has no autoscaler`);
      // A number here would override the autoscaler with each kubectl apply.
      assert.equal(spec?.replicas, undefined);
      const { maxSurge } = spec?.strategy?.rollingUpdate ?? {};
      return { name: metadata?.name, most: replicas + Number(maxSurge) };
    });

    const connections = pods.map((pod) => pod.most * (Number(pool) + (pod.name === 'quoting-api' ? 1 : 6)));
    // PostgreSQL reserves 3 of its 100 for administrators; the migrations use 2.
    assert.ok(connections.reduce((sum, each) => sum + each, 2) <= 97, String(connections));
  });
});
