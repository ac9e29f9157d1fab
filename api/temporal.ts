import {
  Client,
  type Connection,
  ServiceError as TemporalServiceError,
  WithStartWorkflowOperation,
  type WorkflowClientInterceptor,
  type WorkflowUpdateHandle,
} from '@temporalio/client';
import type { NamespaceOptions } from '../adapters/temporal/connection.ts';
import { unavailable, sharePending } from '../domain/errors.ts';
import type { WorkflowExecutionRef } from '../domain/workflow-execution-ref.ts';
import { lifecycleStart, type QuoteStart, type ShareInput, type ShareResult, updates } from '../workflows/contract.ts';
import type { quoteLifecycle } from '../workflows/quote-lifecycle.ts';

/** How long Temporal may take to say that it is there. */
const ANSWER_MS = 3_000;

/** What the API may say to Temporal, in its own verbs. */
export interface Workflows {
  /**
   * Mails the quote to its client and answers when the mail server did, or at the deadline. Safe to repeat: calls in
   * flight join.
   * Throws `unavailable` when nothing was handed over, `share_pending`, with the run's name, when it may still happen, or
   * may have happened.
   */
  share(quote: QuoteStart, share: Omit<ShareInput, 'quote'>, patience: SharePatience): Promise<ShareEnd>;
}

/** How a share ended, and the run that had it. */
export interface ShareEnd {
  readonly result: ShareResult;
  readonly run: WorkflowExecutionRef;
}

export interface SharePatience {
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** Whether its outcome may be asked for later, by its own id: then it is handed over under that, and joins there. */
  readonly isKeyed: boolean;
  /** Whether this share may have been handed over before: then nobody can say that it was not. */
  readonly isRepeated: boolean;
}

export function createWorkflows(
  connection: Connection,
  options: NamespaceOptions,
  interceptors: WorkflowClientInterceptor[] = [],
): Workflows {
  const temporal = new Client({ connection, ...options, interceptors: { workflow: interceptors } });
  // The lifecycle joins calls too, but Temporal refuses the eleventh update in flight of a run: a process asks once.
  const inFlight = new Map<string, Promise<ShareEnd>>();

  async function shareOnce(
    quote: QuoteStart,
    share: Omit<ShareInput, 'quote'>,
    { deadline, isRepeated }: SharePatience,
  ): Promise<ShareEnd> {
    const { workflowId } = lifecycleStart(quote, share.requestId);
    const pending = (cause: unknown, runId: string | null = null) => sharePending(cause, { workflowId, runId });
    const notReached = isRepeated ? pending : (cause: unknown) => unavailable(cause);
    try {
      // Asked each time: of a call that a hung server never answered, nobody could say whether it was handed over.
      // (The SDK's ensureConnected() would keep its first answer, a failure too, for ever.)
      await temporal.withDeadline(Date.now() + ANSWER_MS, () => connection.workflowService.getSystemInfo({}));
    } catch (error) {
      throw notReached(error);
    }
    let accepted;
    try {
      accepted = await temporal.withDeadline(deadline, () => handOver(temporal, quote, share));
    } catch (error) {
      throw wasNeverSent(error) ? notReached(error) : pending(error);
    }
    const run = { workflowId, runId: accepted.workflowRunId ?? null };
    try {
      return { result: await temporal.withDeadline(deadline, () => accepted.result()), run };
    } catch (error) {
      // A run has it, so whatever this was, it is not known to have failed.
      throw pending(error, run.runId);
    }
  }

  return {
    async share(quote, share, patience) {
      const running = inFlight.get(quote.quoteId);
      if (running && !patience.isKeyed) return running;
      const started = shareOnce(quote, share, patience);
      if (running) return started;
      const listed = started.finally(() => inFlight.delete(quote.quoteId));
      inFlight.set(quote.quoteId, listed);
      return listed;
    },
  };
}

/** Resolves as soon as a run has accepted it: from then on there is a run to name, however it ends. */
function handOver(
  temporal: Client,
  quote: QuoteStart,
  share: Omit<ShareInput, 'quote'>,
): Promise<WorkflowUpdateHandle<ShareResult>> {
  const start = lifecycleStart(quote, share.requestId);
  const [{ quote: ref }] = start.args;
  return temporal.workflow.startUpdateWithStart<typeof quoteLifecycle, ShareResult, [ShareInput]>(updates.share, {
    waitForStage: 'ACCEPTED',
    startWorkflowOperation: new WithStartWorkflowOperation<typeof quoteLifecycle>('quoteLifecycle', start),
    // Fresh for each attempt: Temporal answers a known id with its stored outcome and runs nothing.
    updateId: share.shareId,
    args: [{ quote: ref, ...share }],
  });
}

/** gRPC's status codes for a server over its limits, and for one that is not there. */
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;
/** The words with which UNAVAILABLE says that there was no connection to send it on. */
const NOT_CONNECTED = /No connection established|ECONNREFUSED|EHOSTUNREACH|ENOTFOUND|Name resolution failed/;

function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof TemporalServiceError ? error.cause : error;
  if (!(cause instanceof Error) || !('code' in cause)) return false;
  if (cause.code === RESOURCE_EXHAUSTED) return true;
  if (cause.code !== UNAVAILABLE) return false;
  return NOT_CONNECTED.test('details' in cause ? String(cause.details) : cause.message);
}
