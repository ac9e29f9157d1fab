import {
  Client,
  type Connection,
  ServiceError as TemporalServiceError,
  WithStartWorkflowOperation,
  type WorkflowClientInterceptor,
  WorkflowUpdateFailedError,
  type WorkflowUpdateHandle,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { NamespaceOptions } from '../adapters/temporal/connection.ts';
import { status, statusOf } from '../adapters/temporal/status.ts';
import { otherShareInProgress, sharePending, unavailable } from '../domain/errors.ts';
import type { WorkflowExecutionRef } from '../domain/workflow-execution-ref.ts';
import {
  lifecycleStart,
  type QuoteStart,
  SHARE_IN_PROGRESS,
  type ShareInput,
  type ShareResult,
  updates,
} from '../workflows/contract.ts';
import type { quoteLifecycle } from '../workflows/quote-lifecycle.ts';

/** Time limit for the health check of Temporal. */
const HEALTH_CHECK_TIMEOUT_MS = 3_000;

/** The API's operations on Temporal. */
export interface Workflows {
  /**
   * Mails the quote and returns when the mail server responded, or at the deadline. Concurrent calls with the same share
   * id have one mail; with another id they get `request_in_progress`. Throws `unavailable` if Temporal certainly did not get the update; `share_pending`, with the
   * workflow execution, if the mail may still be sent or may have been sent.
   */
  share(quote: QuoteStart, share: Omit<ShareInput, 'quote'>, options: ShareOptions): Promise<ShareOutcome>;
}

/** The outcome of a share and its workflow execution. */
export interface ShareOutcome {
  readonly result: ShareResult;
  readonly run: WorkflowExecutionRef;
}

export interface ShareOptions {
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** Whether an earlier request may have sent this update already. */
  readonly isRepeated: boolean;
}

export function createWorkflows(
  connection: Connection,
  options: NamespaceOptions,
  interceptors: WorkflowClientInterceptor[] = [],
): Workflows {
  const temporal = new Client({ connection, ...options, interceptors: { workflow: interceptors } });
  // The workflow joins concurrent shares too, but Temporal refuses the eleventh in-flight update: one per process.
  const inFlight = new Map<string, Promise<ShareOutcome>>();

  async function shareOnce(
    quote: QuoteStart,
    share: Omit<ShareInput, 'quote'>,
    { deadline, isRepeated }: ShareOptions,
  ): Promise<ShareOutcome> {
    const { workflowId } = lifecycleStart(quote, share.requestId);
    const pending = (cause: unknown, runId: string | null = null) => sharePending(cause, { workflowId, runId });
    const notSent = isRepeated ? pending : (cause: unknown) => unavailable(cause);
    try {
      // Check before each update: after a call that a hung server never answered, its effect would be unknown. (The
      // SDK's ensureConnected() caches its first result, even a failure, for ever.)
      await temporal.withDeadline(Date.now() + HEALTH_CHECK_TIMEOUT_MS, () =>
        connection.workflowService.getSystemInfo({}),
      );
    } catch (error) {
      throw notSent(error);
    }
    let accepted;
    try {
      accepted = await temporal.withDeadline(deadline, () => startShare(temporal, quote, share));
    } catch (error) {
      if (isOtherInProgress(error)) throw otherShareInProgress();
      throw wasNeverSent(error) ? notSent(error) : pending(error);
    }
    const run = { workflowId, runId: accepted.workflowRunId ?? null };
    try {
      return { result: await temporal.withDeadline(deadline, () => accepted.result()), run };
    } catch (error) {
      if (isOtherInProgress(error)) throw otherShareInProgress();
      // The update was accepted, so this error does not mean that it failed.
      throw pending(error, run.runId);
    }
  }

  return {
    async share(quote, share, options) {
      const running = inFlight.get(share.shareId);
      if (running) return running;
      const started = shareOnce(quote, share, options).finally(() => inFlight.delete(share.shareId));
      inFlight.set(share.shareId, started);
      return started;
    },
  };
}

/** Resolves when a workflow execution has accepted the update, whose outcome can then be awaited. */
function startShare(
  temporal: Client,
  quote: QuoteStart,
  share: Omit<ShareInput, 'quote'>,
): Promise<WorkflowUpdateHandle<ShareResult>> {
  const start = lifecycleStart(quote, share.requestId);
  const [{ quote: ref }] = start.args;
  return temporal.workflow.startUpdateWithStart<typeof quoteLifecycle, ShareResult, [ShareInput]>(updates.share, {
    waitForStage: 'ACCEPTED',
    startWorkflowOperation: new WithStartWorkflowOperation<typeof quoteLifecycle>('quoteLifecycle', start),
    // For the id of a share that it knows, Temporal returns its outcome and runs nothing.
    updateId: share.shareId,
    args: [{ quote: ref, ...share }],
  });
}

/** Whether the update was rejected because of a share with another content. */
const isOtherInProgress = (error: unknown): boolean =>
  error instanceof WorkflowUpdateFailedError &&
  error.cause instanceof ApplicationFailure &&
  error.cause.type === SHARE_IN_PROGRESS;

/** Messages of UNAVAILABLE that mean that the request was never sent. */
const NOT_CONNECTED = /No connection established|ECONNREFUSED|EHOSTUNREACH|ENOTFOUND|Name resolution failed/;

function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof TemporalServiceError ? error.cause : error;
  if (statusOf(cause) === status.resourceExhausted) return true;
  if (statusOf(cause) !== status.unavailable || !(cause instanceof Error)) return false;
  return NOT_CONNECTED.test('details' in cause ? String(cause.details) : cause.message);
}
