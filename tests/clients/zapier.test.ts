import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { needs, testWorker } from '../stack.ts';
import { connectorPackage } from './connector-package.ts';

needs('temporal', 'storage', 'inbox');

type Bundle = Readonly<Record<string, unknown>>;
type Perform = (z: unknown, bundle: Bundle) => unknown;
interface Trigger {
  readonly operation: Readonly<Record<'perform' | 'performList' | 'performSubscribe' | 'performUnsubscribe', Perform>>;
}
/** The parts of an app that the tests call. */
interface App {
  readonly authentication: { readonly test: Perform };
  readonly triggers: Readonly<Record<string, Trigger>>;
  readonly creates: Readonly<Record<string, { readonly operation: { readonly perform: Perform } }>>;
  readonly searches: App['creates'];
}
interface Platform {
  createAppTester(app: App): (perform: Perform, bundle?: Bundle) => Promise<any>; // oxlint-disable-line typescript/no-explicit-any -- each test asserts the shape it expects
  createAppHandler(app: App): (event: object) => Promise<{ results: unknown }>;
}

describe('Zapier app', () => {
  let app: App;
  let platform: Platform;
  let call: ReturnType<Platform['createAppTester']>;
  let authData: Readonly<Record<string, string>>;
  let as: Record<string, string>;
  const perform = (operation: { readonly operation: { readonly perform: Perform } } | undefined, inputData: object) => {
    assert.ok(operation);
    return call(operation.operation.perform, { authData, inputData });
  };

  before(async () => {
    const { folder, load } = await connectorPackage('zapier');
    ({ default: app } = (await import(pathToFileURL(join(folder, 'dist/app.js')).href)) as { default: App });
    platform = load('zapier-platform-core') as Platform;
    call = platform.createAppTester(app);
    const { url } = await service();
    await testWorker();
    ({ as } = await build.member(await build.business(), { role: 'OWNER' }));
    authData = { baseUrl: `${url}/`, apiKey: as['Authorization']?.replace('Bearer ', '') ?? '' };
  });

  it('is a valid definition with a trigger for every event', async () => {
    const { results } = await platform.createAppHandler(app)({ command: 'validate' });

    assert.deepEqual(results, []);
    assert.deepEqual(Object.keys(app.triggers), [
      ...SUBSCRIBABLE_EVENTS.map((event) => event.replace('.', '_')),
      'template',
    ]);
  });

  it('tests a connection, and reports a wrong key as expired', async () => {
    const me = await call(app.authentication.test, { authData });
    const refused: unknown = await call(app.authentication.test, { authData: { ...authData, apiKey: 'svc_0' } }).catch(
      (error: unknown) => error,
    );

    assert.equal(me.tenant.companyName, 'Acme');
    assert.deepEqual([(refused as Error).name], ['ExpiredAuthError']);
  });

  it('creates a client and a quote, shares it, marks it as won, and finds both', async () => {
    const client = await perform(app.creates['client'], {
      contactName: 'Laura Méndez',
      email: 'laura@cliente.test',
      phone: '',
    });
    const items = [{ productName: 'Silla', unitPrice: 1850.5, quantity: 4 }];
    const quote = await perform(app.creates['quote'], { clientId: client.id, items, reference: 'OC-2041' });
    // Zapier repeats a step that failed because the service was busy.
    const shared = await eventually(() => perform(app.creates['share_quote'], { quoteId: quote.id }));
    const won = await perform(app.creates['quote_status'], { quoteId: quote.id, status: 'WON' });
    const [foundClient] = await perform(app.searches['find_client'], { search: 'laura@cliente.test' });
    const [foundQuote] = await perform(app.searches['find_quote'], { reference: 'OC-2041' });

    assert.deepEqual([quote.total, shared, won.status], [8586.32, { success: true }, 'WON']);
    assert.deepEqual([foundClient.id, foundQuote.id], [client.id, quote.id]);
  });

  it('creates a quote from a template that it offers', async () => {
    const http = await service();
    await http.post(
      '/api/templates',
      { name: 'Oficina', items: [{ productName: 'Mesa', unitPrice: 100, quantity: 1 }] },
      as,
    );
    const client = await build.client(as);

    const [template] = await perform(app.triggers['template'], {});
    const quote = await perform(app.creates['quote_from_template'], { templateId: template.id, clientId: client.id });

    assert.deepEqual([template.name, quote.total], ['Oficina', 116]);
  });

  it('shows the message and request id of a refusal', async () => {
    await assert.rejects(
      perform(app.creates['share_quote'], { quoteId: 'c0' }),
      /Cotización no encontrada \(request \S+\)/,
    );
  });

  it('subscribes to an event, passes it on in the form of its samples, and unsubscribes', async () => {
    const http = await service();
    await using endpoint = await receiver();
    const {
      performSubscribe,
      performUnsubscribe,
      perform: pass,
      performList,
    } = app.triggers['client_created']?.operation ?? assert.fail('no trigger');

    const subscribeData = await call(performSubscribe, { authData, targetUrl: endpoint.url });
    const client = await build.client(as);
    const body = await eventually(() => {
      // Events of the tests before may still arrive.
      const found = endpoint.calls.find(({ body: text }) => text.includes(client.id));
      assert.ok(found, 'no call yet');
      return found.body;
    });
    const [passed] = await call(pass, { authData, cleanedRequest: JSON.parse(body) });
    const [sample] = await call(performList, { authData });
    await call(performUnsubscribe, { authData, subscribeData });
    const { body: webhooks } = await http.get('/api/webhooks', as);

    assert.equal(passed.client.id, client.id);
    assert.deepEqual(passed, sample);
    assert.deepEqual(webhooks, []);
  });
});
