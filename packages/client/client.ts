import { randomUUID } from 'node:crypto';
import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import { sendAgain } from './retry.ts';
import type { paths } from './schema.d.ts';

export { each, type Page } from './each.ts';
export { QuotingError, type RefusalBody, unwrap } from './refusal.ts';
export { type Delivery, verifyServiceSignature, verifyWebhook, WebhookError, type WebhookEvent } from './webhooks.ts';

export interface ClientOptions {
  /** Origin of the service, without a path. */
  readonly baseUrl: string;
  /** `svc_…`; without one, requests carry no credential. */
  readonly apiKey?: string;
  /** How often a request that may be repeated is tried again after 429, 5xx or no answer. Default 2. */
  readonly retries?: number;
  readonly fetch?: typeof fetch;
}

export type QuotingClient = Client<paths>;

/**
 * A client whose paths, bodies and answers have the types of the OpenAPI document. Each POST carries an
 * `Idempotency-Key`, one of its own unless the caller gave one, so that trying it again cannot do it twice.
 */
export function createClient({ baseUrl, apiKey, retries = 2, fetch: send = fetch }: ClientOptions): QuotingClient {
  const client = createFetchClient<paths>({ baseUrl, fetch: (request) => sendAgain(send, request, retries) });
  const headers: Middleware = {
    onRequest({ request, schemaPath }) {
      if (apiKey !== undefined) request.headers.set('Authorization', `Bearer ${apiKey}`);
      if (request.method === 'POST' && takesKeys(schemaPath) && !request.headers.has('Idempotency-Key')) {
        request.headers.set('Idempotency-Key', randomUUID());
      }
      return request;
    },
  };
  client.use(headers);
  return client;
}

// There the service keeps no answers, so a key would promise what does not hold.
const takesKeys = (path: string): boolean => !path.startsWith('/api/auth/') && !path.startsWith('/api/portal/');
