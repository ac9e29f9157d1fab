import assert from 'node:assert/strict';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import * as build from '../api/build.ts';
import { type Call, receiver } from '../api/receiver.ts';
import { type Credential, type Response, service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { needs, testWorker } from '../stack.ts';
import { guide, isRecording, rewriteSection } from './guides.ts';
import { asShown, stable } from './recorded-json.ts';

needs('temporal', 'storage', 'inbox');

/** Clients have no credential but the token of their page. */
const NO_KEY = {};

/** Everything that webhooks report, done once for a new business; returns the first delivered body of each event. */
async function deliveredBodies(): Promise<ReadonlyMap<string, string>> {
  const app = await service();
  const business = await build.business();
  await using endpoint = await receiver();
  const call = async (method: string, path: string, body: object, as: Credential = business.owner) => {
    const response: Response = await app.request(method, path, { headers: as, body });
    assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.bytes.toString()}`);
    return response.body;
  };

  await call('POST', '/api/webhooks', { url: endpoint.url, events: SUBSCRIBABLE_EVENTS });
  const product = await call('POST', '/api/products', {
    name: 'Silla ejecutiva',
    modelSku: 'SE-200',
    description: 'Respaldo de malla',
    unitPrice: 1850.5,
  });
  const client = await call('POST', '/api/clients', {
    contactName: 'Laura Méndez',
    companyName: 'Hotel La Palma',
    email: 'laura@lapalma.test',
    phone: '+52 33 5555 0101',
  });
  const content = {
    clientId: client.id,
    items: [
      { productId: product.id, productName: product.name, model: product.modelSku, unitPrice: 1850.5, quantity: 4 },
    ],
    reference: 'OC-2041',
    metadata: { crm: 'D-118' },
  };

  const quote = await call('POST', '/api/quotes', content);
  const portal = `/api/portal/${quote.publicToken}`;
  await call('POST', `/api/quotes/${quote.id}/share`, {});
  const browser = { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605.1.15' };
  assert.equal((await app.get(`/p/${quote.publicToken}`, browser)).status, 200);
  await call(
    'POST',
    `${portal}/request-changes`,
    { message: '¿Puede incluir la instalación?', version: 1, name: 'Laura Méndez', email: 'laura@lapalma.test' },
    NO_KEY,
  );
  await call('POST', `/api/quotes/${quote.id}/revise`, { ...content, notes: 'Incluye la instalación' });
  await call('POST', `/api/quotes/${quote.id}/share`, {});
  await call(
    'POST',
    `${portal}/accept`,
    { version: 2, signerName: 'Laura Méndez', signerEmail: 'laura@lapalma.test' },
    NO_KEY,
  );

  const rejected = await call('POST', '/api/quotes', content);
  await call('PATCH', `/api/quotes/${rejected.id}/status`, { status: 'SENT' });
  const reason = 'Encontramos un mejor precio';
  await call('POST', `/api/portal/${rejected.publicToken}/reject`, { reason }, NO_KEY);

  const expiring = await call('POST', '/api/quotes', content);
  await call('PATCH', `/api/quotes/${expiring.id}/status`, { status: 'SENT' });
  const expiresAt = new Date(Date.now() + 10_000).toISOString();
  await call('PATCH', `/api/quotes/${expiring.id}`, { expiresAt });

  const eventOf = ({ headers }: Call) => String(headers['x-service-event']);
  await eventually(() => {
    const seen = new Set(endpoint.calls.map(eventOf));
    assert.equal(SUBSCRIBABLE_EVENTS.filter((event) => !seen.has(event)).join(' '), '');
  });
  // Of several deliveries the first one stays.
  return new Map(endpoint.calls.toReversed().map((call) => [eventOf(call), asShown(call.body)]));
}

describe('bodies of events in webhooks.md', () => {
  before(async () => {
    await testWorker();
  });

  it('are, for every event, one that the service delivered (npm run docs:guides)', async () => {
    const delivered = await deliveredBodies();

    if (isRecording) {
      const sections = SUBSCRIBABLE_EVENTS.map(
        (event) => `### \`${event}\`\n\n\`\`\`json event ${event}\n${delivered.get(event)}\n\`\`\``,
      );
      rewriteSection('webhooks.md', 'events', sections.join('\n\n'));
    }
    const shown = guide('webhooks.md').blocks.filter(({ info }) => info.startsWith('event '));
    assert.deepEqual(
      shown.map(({ info }) => info.replace('event ', '')),
      SUBSCRIBABLE_EVENTS,
    );
    for (const { info, text } of shown) {
      const now = JSON.parse(delivered.get(info.replace('event ', '')) ?? '') as unknown;
      assert.deepEqual(stable(JSON.parse(text)), stable(now), info);
    }
  });
});
