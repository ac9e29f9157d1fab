import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import { type Send, sendWithRetries } from './retry.ts';
import type { paths } from './schema.d.ts';

export { edit, type EditOptions, type IfMatch } from './edit.ts';
export { each, type Listed, type ListParams, type ListPath } from './pagination.ts';
export { type Answer, QuotingError, type RefusalBody, unwrap, unwrapTagged } from './refusal.ts';
// The models of the OpenAPI document, by name.
export type * from './schema.d.ts';
export type { Send } from './retry.ts';
export {
  type EventOf,
  type ReceivedEvent,
  type SignedRequest,
  verifyServiceSignature,
  verifyWebhook,
  WebhookError,
} from './webhooks.ts';

export interface ClientOptions {
  /** Origin of the service, without a path. */
  readonly baseUrl: string;
  /** `svc_…`; without one, requests are unauthenticated. */
  readonly apiKey?: string;
  /** Maximum retries of a repeatable request after 429, 5xx or a connection error. Default: 2. */
  readonly retries?: number;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: Send;
}

export type QuotingClient = Client<paths>;

/**
 * A client with the types of the OpenAPI document for paths, bodies and responses. Each POST has an `Idempotency-Key`,
 * a random one unless the caller sets one, so that retries have no second effect.
 */
export function createClient({ baseUrl, apiKey, retries = 2, fetch: send = fetch }: ClientOptions): QuotingClient {
  const client = createFetchClient<paths>({ baseUrl, fetch: (request) => sendWithRetries(send, request, retries) });
  const headers: Middleware = {
    onRequest({ request }) {
      if (apiKey !== undefined) request.headers.set('Authorization', `Bearer ${apiKey}`);
      if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
        request.headers.set('Idempotency-Key', crypto.randomUUID());
      }
      return request;
    },
  };
  client.use(headers);
  return client;
}
