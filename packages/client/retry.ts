/** Maximum wait between two attempts. If the service asks for more, the caller decides. */
const MAX_WAIT_MS = 30_000;
/** First wait if the service gives none; doubled each time. */
const FIRST_WAIT_MS = 500;

/** Refusals after which the service has already retried. */
const FINAL_CODES: ReadonlySet<unknown> = new Set(['mail_failed', 'unreachable']);

/**
 * Sends a request, and retries it after a temporary refusal (429, 5xx, a first request with the same key still running) or without a
 * response: after the seconds of `Retry-After`, else with exponential backoff and jitter from half a second. Only reads and requests
 * with an `Idempotency-Key` are retried. Returns the last response or throws the last error.
 */
export async function sendAgain(send: typeof fetch, request: Request, retries: number): Promise<Response> {
  const mayRepeat = ['GET', 'HEAD'].includes(request.method) || request.headers.has('Idempotency-Key');
  for (let tried = 0; ; tried += 1) {
    const isLast = !mayRepeat || tried >= retries;
    const answer = await attempt(send, request, isLast);
    const waitMs = answer === undefined ? backoff(tried) : await waitBefore(answer, tried);
    if (answer && (isLast || waitMs === undefined || waitMs > MAX_WAIT_MS)) return answer;
    await answer?.body?.cancel();
    await pause(waitMs ?? 0, request.signal);
  }
}

/** Rejects early with the caller's reason if the caller aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

/** The response; undefined if there was none and another attempt follows. */
async function attempt(send: typeof fetch, request: Request, isLast: boolean): Promise<Response | undefined> {
  try {
    return await send(request.clone());
  } catch (error) {
    // The caller has aborted: no further attempt.
    if (isLast || request.signal.aborted) throw error;
    return undefined;
  }
}

/** Milliseconds until the next attempt, or undefined if the response is final. */
async function waitBefore(answer: Response, tried: number): Promise<number | undefined> {
  if (answer.status !== 429 && answer.status !== 409 && answer.status < 500) return undefined;
  const code = await codeOf(answer);
  if (FINAL_CODES.has(code) || (answer.status === 409 && code !== 'request_in_progress')) return undefined;
  return asked(answer.headers.get('Retry-After')) ?? backoff(tried);
}

async function codeOf(answer: Response): Promise<unknown> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/** Retry-After in milliseconds: it is given in seconds, by proxies also as a date. */
function asked(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

// Clients that failed together must not come back together.
const backoff = (tried: number): number => FIRST_WAIT_MS * 2 ** tried * (0.75 + Math.random() / 2);
