import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from './schema.d.ts';

export interface ClientOptions {
  /** Origin of the service, without a path. */
  readonly baseUrl: string;
  /** `svc_…`; without one, requests carry no credential. */
  readonly apiKey?: string;
  /** How often a request that may be repeated is tried again after 429 or 503. Default 2. */
  readonly retries?: number;
  readonly fetch?: typeof fetch;
}

export type QuotingClient = Client<paths>;

/** What the service refused with; thrown by `unwrap`. */
export class QuotingError extends Error {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  readonly requestId: string;

  constructor(status: number, body: { error: string; code: string; requestId: string }) {
    super(body.error);
    this.name = 'QuotingError';
    this.status = status;
    this.code = body.code;
    this.requestId = body.requestId;
  }
}

/** A client whose paths, bodies and answers have the types of the OpenAPI document. */
export function createClient({ baseUrl, apiKey, retries = 2, fetch: send = fetch }: ClientOptions): QuotingClient {
  const client = createFetchClient<paths>({ baseUrl, fetch: (request) => sendAgain(send, request, retries) });
  const credential: Middleware = {
    onRequest({ request }) {
      if (apiKey !== undefined) request.headers.set('Authorization', `Bearer ${apiKey}`);
      return request;
    },
  };
  client.use(credential);
  return client;
}

/** The data of an answer, or a QuotingError with the service's message, code and request id. */
export async function unwrap<T>(
  answer: Promise<{ data?: T; error?: { error: string; code: string; requestId: string }; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (error || data === undefined) {
    const requestId = response.headers.get('X-Request-Id') ?? '';
    throw new QuotingError(response.status, error ?? { error: response.statusText, code: 'internal', requestId });
  }
  return data;
}

/**
 * A request that may be repeated (a read, or one with an Idempotency-Key) is tried again when the service asks for it,
 * after the seconds that it names.
 */
async function sendAgain(send: typeof fetch, request: Request, retries: number): Promise<Response> {
  const repeatable = request.method === 'GET' || request.headers.has('Idempotency-Key');
  for (let left = repeatable ? retries : 0; ; left -= 1) {
    const response = await send(request.clone());
    if (left <= 0 || (response.status !== 429 && response.status !== 503)) return response;
    const seconds = Number(response.headers.get('Retry-After') ?? 1);
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(seconds, 10) * 1000);
    });
  }
}
