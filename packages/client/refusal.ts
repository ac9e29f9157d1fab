/** The body of every error response. */
export interface RefusalBody {
  readonly error: string;
  readonly code: string;
  /** One per refusal, more specific than `code`. */
  readonly reason?: string;
  readonly requestId: string;
  /** The invalid members. */
  readonly details?: readonly { readonly path: string; readonly message: string }[];
  /** The workflow execution of a share that Temporal accepted. */
  readonly run?: { readonly workflowId: string; readonly runId: string | null };
}

/** What a request of the client resolves to. */
export type Answer<T> = Promise<{ data?: T; error?: RefusalBody; response: Response }>;

/** An error response of the service; thrown by `unwrap`. */
export class QuotingError extends Error {
  readonly status: number;
  /** A stable code to branch on. */
  readonly code: string;
  /** More specific than `code`, where the service has a reason. */
  readonly reason: string | undefined;
  /** Identifies the request in the service's logs. */
  readonly requestId: string;
  readonly details: NonNullable<RefusalBody['details']>;
  readonly run: RefusalBody['run'];

  constructor(status: number, { error, code, reason, requestId, details = [], run }: RefusalBody) {
    super(error);
    this.name = 'QuotingError';
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.requestId = requestId;
    this.details = details;
    this.run = run;
  }
}

/** Returns the data of a response, or throws a QuotingError with the service's message, code and request id. */
export async function unwrap<T>(answer: Answer<T>): Promise<T> {
  return (await unwrapTagged(answer)).data;
}

/** Like `unwrap`, with the record's `ETag` for `If-Match`. */
export async function unwrapTagged<T>(answer: Answer<T>): Promise<{ data: T; etag: string | undefined }> {
  const { data, error, response } = await answer;
  if (error || data === undefined) {
    const requestId = response.headers.get('X-Request-Id') ?? '';
    // The response may come from a proxy and have another shape.
    const ours = typeof error === 'object' && typeof error.code === 'string';
    throw new QuotingError(response.status, ours ? error : { error: response.statusText, code: 'internal', requestId });
  }
  return { data, etag: response.headers.get('ETag') ?? undefined };
}
