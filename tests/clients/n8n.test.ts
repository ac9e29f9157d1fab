import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import * as build from '../api/build.ts';
import { type Call, receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { needs, testWorker } from '../stack.ts';
import { type ConnectorPackage, connectorPackage } from './connector-package.ts';
import { context, type Credential, evaluated, type NodeType, type Settings, webhookContext } from './n8n-harness.ts';
import { run } from './run-program.ts';

needs('temporal', 'storage', 'inbox');

interface Manifest {
  readonly dependencies?: object;
  readonly n8n: { readonly credentials: readonly string[]; readonly nodes: readonly string[] };
}

describe('n8n-nodes-quoting', () => {
  let connector: ConnectorPackage;
  let manifest: Manifest;
  let settings: Settings;
  let as: Record<string, string>;
  /** Loads the class that n8n would, by the file's name. */
  const loaded = <T>(path: string): T => {
    const name = basename(path).split('.')[0] ?? '';
    const { [name]: Class } = connector.load(join(connector.folder, path)) as Record<string, new () => T>;
    assert.ok(Class, `${path} exports no ${name}`);
    return new Class();
  };
  const node = (name: string) => loaded<NodeType>(`dist/nodes/${name}/${name}.node.js`);
  const act = async (parameters: Readonly<Record<string, unknown>>) => {
    const [items = []] = await node('Quoting').execute.call(context(settings, parameters));
    return items.map(({ json }) => json);
  };

  before(async () => {
    connector = await connectorPackage('n8n-nodes-quoting');
    manifest = JSON.parse(readFileSync(join(connector.folder, 'package.json'), 'utf8')) as Manifest;
    const app = await service();
    await testWorker();
    ({ as } = await build.member(await build.business(), { role: 'OWNER' }));
    const apiKey = as['Authorization']?.replace('Bearer ', '') ?? '';
    const credential = loaded<Credential>('dist/credentials/QuotingApi.credentials.js');
    settings = { credential, values: { baseUrl: app.url, apiKey } };
  });

  it('is packed with all that n8n loads, and depends on nothing', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: connector.folder });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];

    const { credentials, nodes } = manifest.n8n;
    const missing = [...credentials, ...nodes].filter((path) => !files.some((file) => file.path === path));
    assert.deepEqual(missing, []);
    assert.equal(manifest.dependencies, undefined);
    assert.deepEqual(
      nodes.map((path) => typeof loaded<NodeType>(path).description),
      ['object', 'object'],
    );
  });

  it('tests a credential with the route that names the business', async () => {
    const { baseURL, url } = settings.credential.test.request;
    const address = evaluated(baseURL, settings.values) + url;
    const [[name, value] = ['', '']] = Object.entries(settings.credential.authenticate.properties.headers);

    const accepted = await fetch(address, { headers: { [name]: evaluated(value, settings.values) } });
    const refused = await fetch(address, { headers: { [name]: evaluated(value, { apiKey: 'svc_0' }) } });

    assert.deepEqual([accepted.status, refused.status], [200, 401]);
  });

  it('creates a client and a quote, shares it, reads it and lists it', async () => {
    const [client] = await act({
      resource: 'client',
      operation: 'create',
      contactName: 'Laura Méndez',
      additionalFields: { email: 'laura@cliente.test', phone: '' },
    });
    const [quote] = await act({
      resource: 'quote',
      operation: 'create',
      clientId: client?.['id'],
      items: { line: [{ productName: 'Silla', unitPrice: 1850.5, quantity: 4 }] },
      additionalFields: { reference: 'OC-2041' },
    });
    const quoteId = quote?.['id'];
    // On a busy machine the service may respond that the share is pending.
    const [shared] = await eventually(() => act({ resource: 'quote', operation: 'share', quoteId }));
    const [read] = await act({ resource: 'quote', operation: 'get', quoteId });
    const [won] = await act({ resource: 'quote', operation: 'changeStatus', quoteId, status: 'WON' });
    const listed = await act({
      resource: 'quote',
      operation: 'getAll',
      returnAll: true,
      additionalFields: { reference: 'OC-2041' },
    });
    const limited = await act({ resource: 'client', operation: 'getAll', returnAll: false, limit: 1 });

    assert.deepEqual(
      [quote?.['total'], shared, read?.['status'], won?.['status']],
      [8586.32, { success: true }, 'SENT', 'WON'],
    );
    assert.deepEqual([listed.map(({ id }) => id), limited.length], [[quoteId], 1]);
  });

  it('creates a quote from a template that it offers', async () => {
    const app = await service();
    const items = [{ productName: 'Mesa', unitPrice: 100, quantity: 1 }];
    await app.post('/api/templates', { name: 'Oficina', items }, as);
    const client = await build.client(as);

    const [template] = (await node('Quoting').methods?.loadOptions['templates']?.call(context(settings))) ?? [];
    const [quote] = await act({
      resource: 'quote',
      operation: 'createFromTemplate',
      templateId: template?.value,
      clientId: client.id,
    });

    assert.deepEqual([template?.name, quote?.['total']], ['Oficina', 116]);
  });

  it('has one effect when n8n repeats a step of the same execution', async () => {
    const step = {
      resource: 'client',
      operation: 'create',
      executionId: crypto.randomUUID(),
      contactName: 'Una sola vez',
    };

    const [first] = await act(step);
    const [second] = await act(step);

    assert.equal(first?.['id'], second?.['id']);
  });

  it('fails with the message, code and invalid members of a refusal, or continues with the message', async () => {
    const wrong = { resource: 'quote', operation: 'create', clientId: 'c0', items: {} };

    const error: unknown = await act(wrong).catch((thrown: unknown) => thrown);
    const continued = await act({ ...wrong, continueOnFail: true });

    const { name, httpCode, message, description } = error as Record<string, string>;
    assert.deepEqual([name, httpCode, message], ['NodeApiError', '400', 'items: debe tener al menos un elemento']);
    assert.match(String(description), /^invalid\nitems: debe tener al menos un elemento\nrequest \S+$/);
    assert.deepEqual(continued, [{ error: message }]);
  });

  it('offers every event as a trigger', () => {
    const { options = [] } = node('QuotingTrigger').description.properties[0] ?? {};

    assert.deepEqual(
      options.map(({ value }) => value),
      SUBSCRIBABLE_EVENTS,
    );
  });

  it('subscribes when a workflow is activated, passes on genuine events only, and unsubscribes', async () => {
    const app = await service();
    await using endpoint = await receiver();
    const trigger = node('QuotingTrigger');
    const methods = trigger.webhookMethods?.default;
    assert.ok(methods);
    const subscribed = context(settings, { webhookUrl: endpoint.url, events: ['client.created'] });

    const existed = await methods.checkExists.call(subscribed);
    await methods.create.call(subscribed);
    const exists = await methods.checkExists.call(subscribed);
    const client = await build.client(as);
    const call: Call = await eventually(() => {
      // Events of the tests before may still arrive.
      const found = endpoint.calls.find(({ body }) => body.includes(client.id));
      assert.ok(found, 'no call yet');
      return found;
    });
    const genuine = await trigger.webhook.call(webhookContext(subscribed, call));
    const forgery = webhookContext(subscribed, { ...call, body: call.body.replace('client', 'cliend') });
    const forged = await trigger.webhook.call(forgery);
    await methods.delete.call(subscribed);
    const { body: webhooks } = await app.get('/api/webhooks', as);

    assert.deepEqual([existed, exists], [false, true]);
    const [[item] = []] = genuine.workflowData ?? [];
    const { event, data } = (item?.json ?? {}) as { event?: string; data?: { client: { id: string } } };
    assert.deepEqual([event, data?.client.id], ['client.created', client.id]);
    assert.deepEqual(
      [forged, forgery.answer],
      [{ noWebhookResponse: true }, { status: 400, text: 'webhook-signature does not fit' }],
    );
    assert.deepEqual(webhooks, []);
  });
});
