/** Maximum delay before a retry. If Retry-After is longer, the response is returned without a retry. */
const MAX_WAIT_MS = 30_000;
/** First delay without Retry-After; doubles with each retry. */
const FIRST_WAIT_MS = 500;

/** What sends a request: `fetch` or a platform's own. */
export type Send = (request: Request) => Promise<Response>;

/** Refusals before which the service has already retried. */
const FINAL_CODES: ReadonlySet<unknown> = new Set(['mail_failed', 'unreachable']);

/**
 * Sends a request. Retries reads and requests with an `Idempotency-Key` after 429, 5xx, `request_in_progress` and
 * connection errors, with the delay of `Retry-After`, or else exponential backoff with jitter. Returns the last response
 * or throws the last error.
 */
export async function sendWithRetries(send: Send, request: Request, retries: number): Promise<Response> {
  const mayRepeat = ['GET', 'HEAD'].includes(request.method) || request.headers.has('Idempotency-Key');
  for (let retry = 0; ; retry += 1) {
    const isLast = !mayRepeat || retry >= retries;
    const response = await trySend(send, request, isLast);
    const waitMs = response === undefined ? backoff(retry) : await waitBefore(response, retry);
    if (response && (isLast || waitMs === undefined || waitMs > MAX_WAIT_MS)) return response;
    await response?.body?.cancel();
    await pause(waitMs ?? 0, request.signal);
  }
}

/** Rejects with the reason of the signal when it is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Returns undefined after a connection error if a retry is left. */
async function trySend(send: Send, request: Request, isLast: boolean): Promise<Response | undefined> {
  try {
    return await send(request.clone());
  } catch (error) {
    // Never retry an aborted request.
    if (isLast || request.signal.aborted) throw error;
    return undefined;
  }
}

/** Milliseconds until the next retry, or undefined if the response is final. */
async function waitBefore(response: Response, retry: number): Promise<number | undefined> {
  if (response.status !== 429 && response.status !== 409 && response.status < 500) return undefined;
  const code = await codeOf(response);
  if (FINAL_CODES.has(code) || (response.status === 409 && code !== 'request_in_progress')) return undefined;
  return retryAfterMs(response.headers.get('Retry-After')) ?? backoff(retry);
}

async function codeOf(response: Response): Promise<unknown> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/** Retry-After in milliseconds. The service sends seconds, proxies may send a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

// Jitter prevents simultaneous retries of many clients.
const backoff = (retry: number): number => FIRST_WAIT_MS * 2 ** retry * (0.75 + Math.random() / 2);
