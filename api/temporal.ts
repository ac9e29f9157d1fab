import {
  Client,
  type Connection,
  ServiceError as TemporalServiceError,
  WithStartWorkflowOperation,
} from '@temporalio/client';
import { unavailable, sharePending } from '../domain/errors.ts';
import { lifecycleStart, type QuoteStart, type ShareInput, type ShareResult, updates } from '../workflows/contract.ts';
import type { quoteLifecycle } from '../workflows/quote-lifecycle.ts';

/** How long a caller waits for a share (decisions, section 3). */
const SHARE_WAIT_MS = 9_000;

/** What the API may say to Temporal, in its own verbs. */
export interface Workflows {
  /**
   * Mails the quote to its client and answers when the mail server did. Safe to repeat: calls in flight join.
   * Throws `unavailable` when nothing was handed over, `share_pending` when it may still happen.
   */
  share(quote: QuoteStart, share: Omit<ShareInput, 'quote'>): Promise<ShareResult>;
}

export function createWorkflows(connection: Connection, namespace: string): Workflows {
  const temporal = new Client({ connection, namespace });
  return {
    async share(quote, share) {
      const deadline = Date.now() + SHARE_WAIT_MS;
      try {
        await temporal.withDeadline(deadline, () => connection.ensureConnected());
      } catch (error) {
        // The very first call of this process, and nobody answers there.
        throw unavailable(error);
      }
      try {
        return await temporal.withDeadline(deadline, () => executeShare(temporal, quote, share));
      } catch (error) {
        throw wasNeverSent(error) ? unavailable(error) : sharePending(error);
      }
    },
  };
}

function executeShare(temporal: Client, quote: QuoteStart, share: Omit<ShareInput, 'quote'>): Promise<ShareResult> {
  const start = lifecycleStart(quote, share.requestId);
  const [{ quote: ref }] = start.args;
  return temporal.workflow.executeUpdateWithStart<typeof quoteLifecycle, ShareResult, [ShareInput]>(updates.share, {
    startWorkflowOperation: new WithStartWorkflowOperation<typeof quoteLifecycle>('quoteLifecycle', start),
    // Fresh for each attempt: Temporal answers a known id with its stored outcome and runs nothing.
    updateId: share.shareId,
    args: [{ quote: ref, ...share }],
  });
}

/** gRPC's UNAVAILABLE, with the words for "no connection was there to send it on". */
const UNAVAILABLE = 14;
const NOT_CONNECTED = /No connection established|ECONNREFUSED|EHOSTUNREACH|ENOTFOUND|Name resolution failed/;

function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof TemporalServiceError ? error.cause : error;
  if (!(cause instanceof Error) || !('code' in cause) || cause.code !== UNAVAILABLE) return false;
  return NOT_CONNECTED.test('details' in cause ? String(cause.details) : cause.message);
}
