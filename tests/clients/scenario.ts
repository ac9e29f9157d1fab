import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import {
  createClient,
  each,
  edit,
  type QuoteInput,
  type QuoteItemInput,
  QuotingError,
  unwrap,
  verifyWebhook,
  WebhookError,
  type ReceivedEvent,
} from '@quoting/client';

/**
 * An integration, run on every runtime: creates and shares a quote, verifies its events, reads pages, retries after a lost response, and is refused. Prints what it observed as JSON.
 */
const { QUOTING_URL: baseUrl = '', QUOTING_KEY: apiKey = '' } = process.env;
// A busy machine may be slow to share.
const api = createClient({ baseUrl, apiKey, retries: 5 });

// Receive and verify events.
let secret = '';
const received: ReceivedEvent[] = [];
let forged = 0;
const endpoint = createServer((req, res) => {
  const chunks: Uint8Array[] = [];
  req.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  req.on('end', () => {
    const body = Buffer.concat(chunks);
    try {
      received.push(verifyWebhook({ secret, headers: req.headers, body }));
      verifyWebhook({ secret, headers: req.headers, body: `${body.toString()} ` });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      forged += 1;
    }
    res.writeHead(204).end();
  });
});
endpoint.listen(0, '127.0.0.1');
await once(endpoint, 'listening');
const address = endpoint.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
const webhook = await unwrap(
  api.POST('/api/v1/webhooks', { body: { url, events: ['quote.created', 'quote.status_changed'] } }),
);
secret = webhook.secret;

// Create and share.
const contactName = `Laura ${crypto.randomUUID()}`;
const client = await unwrap(
  api.POST('/api/v1/clients', { body: { contactName, email: `${crypto.randomUUID()}@cliente.test` } }),
);
const items: QuoteItemInput[] = [{ productName: 'Silla', unitPrice: 1850.5, quantity: 4 }];
const input: QuoteInput = { clientId: client.id, items };
const quote = await unwrap(api.POST('/api/v1/quotes', { body: input }));
await unwrap(api.POST('/api/v1/quotes/{id}/share', { params: { path: { id: quote.id } } }));
for (let waited = 0; received.length < 2 && waited < 300; waited += 1) {
  await new Promise((resolve) => void setTimeout(resolve, 100));
}
const events = received.map((event) => {
  switch (event.event) {
    case 'quote.created':
      return `created ${event.data.quote.total}`;
    case 'quote.status_changed':
      return `${event.data.previousStatus} to ${event.data.quote.status}`;
    default:
      return event.event;
  }
});

// Read all pages.
for (let i = 0; i < 4; i += 1) await unwrap(api.POST('/api/v1/quotes', { body: input }));
const numbers: number[] = [];
for await (const { quoteNumber } of each(api, '/api/v1/quotes', { query: { clientId: client.id, limit: 2 } })) {
  numbers.push(quoteNumber);
}

// Edit, while somebody else edits.
const params = { path: { id: client.id } };
let writes = 0;
const edited = await edit(
  () => api.GET('/api/v1/clients/{id}', { params }),
  async ({ notes }, headers) => {
    writes += 1;
    if (writes === 1) await unwrap(api.PATCH('/api/v1/clients/{id}', { params, body: { notes: 'theirs' } }));
    return api.PATCH('/api/v1/clients/{id}', { params, headers, body: { notes: `${notes}, ours` } });
  },
);

// Lose a response: the retry has the same Idempotency-Key.
let calls = 0;
const unlucky = createClient({
  baseUrl,
  apiKey,
  async fetch(request) {
    const response = await fetch(request);
    calls += 1;
    if (calls > 1) return response;
    await response.body?.cancel();
    throw new TypeError('the connection was lost');
  },
});
const uniqueName = `Una sola vez ${crypto.randomUUID()}`;
await unwrap(unlucky.POST('/api/v1/clients', { body: { contactName: uniqueName } }));
const { total } = await unwrap(api.GET('/api/v1/clients', { params: { query: { search: uniqueName } } }));

// Be refused.
const refused: unknown = await unwrap(
  api.PATCH('/api/v1/quotes/{id}/status', { params: { path: { id: quote.id } }, body: { status: 'GENERATED' } }),
).catch((error: unknown) => error);

const refusal = refused instanceof QuotingError ? [refused.status, refused.code, refused.requestId !== ''] : refused;
console.log(
  JSON.stringify({
    total: quote.total,
    events: events.toSorted(),
    forgeriesRefused: forged === received.length,
    numbers: numbers.map((number) => number - quote.quoteNumber),
    edit: { writes, notes: edited.notes },
    retry: { calls, total },
    refusal,
  }),
);
endpoint.close();
endpoint.closeAllConnections();
