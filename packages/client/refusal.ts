/** Body of every refusal. */
export interface RefusalBody {
  readonly error: string;
  readonly code: string;
  readonly requestId: string;
  /** The invalid members, and why. */
  readonly details?: readonly { readonly path: string; readonly message: string }[];
  /** For a share that Temporal accepted: its workflow execution. */
  readonly run?: { readonly workflowId: string; readonly runId: string | null };
}

/** A refusal of the service; thrown by `unwrap`. */
export class QuotingError extends Error {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** Identifies the request in the service's logs. */
  readonly requestId: string;
  readonly details: NonNullable<RefusalBody['details']>;
  readonly run: RefusalBody['run'];

  constructor(status: number, { error, code, requestId, details = [], run }: RefusalBody) {
    super(error);
    this.name = 'QuotingError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    this.run = run;
  }
}

/** The data of an answer, or a QuotingError with the service's message, code and request id. */
export async function unwrap<T>(answer: Promise<{ data?: T; error?: RefusalBody; response: Response }>): Promise<T> {
  const { data, error, response } = await answer;
  if (error || data === undefined) {
    const requestId = response.headers.get('X-Request-Id') ?? '';
    // A proxy in between may answer with something that is none of ours.
    const ours = typeof error === 'object' && typeof error.code === 'string';
    throw new QuotingError(response.status, ours ? error : { error: response.statusText, code: 'internal', requestId });
  }
  return data;
}
