import { Client, type Connection } from '@temporalio/client';
import type { NamespaceOptions } from '../adapters/temporal/connection.ts';
import { unavailable } from '../domain/errors.ts';
import { attributes, type QuoteRef } from '../workflows/contract.ts';

/** How long Temporal may take to list. */
const ANSWER_MS = 4_000;
/** More runs of one quote are not worth a page; the newest come first. */
const MOST = 200;

/** One execution of a workflow, with the page of Temporal's UI that shows it. */
export interface WorkflowRun {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly status: string;
  readonly startTime: Date;
  readonly closeTime: Date | undefined;
  /** Null where no UI is configured. */
  readonly url: string | null;
}

export interface WorkflowRuns {
  /** What ran or runs for a quote. A run is listed within a second or so of its start. Throws `unavailable`. */
  ofQuote(quote: QuoteRef): Promise<readonly WorkflowRun[]>;
}

export function createWorkflowRuns(
  connection: Connection,
  { uiUrl, ...options }: NamespaceOptions & { readonly uiUrl: string | undefined },
): WorkflowRuns {
  const { namespace } = options;
  const temporal = new Client({ connection, ...options });
  const pageOf = (workflowId: string, runId: string): string | null =>
    uiUrl === undefined
      ? null
      : new URL(
          `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${runId}/history`,
          uiUrl,
        ).href;

  async function list(query: string): Promise<readonly WorkflowRun[]> {
    const runs: WorkflowRun[] = [];
    for await (const { workflowId, runId, type, status, startTime, closeTime } of temporal.workflow.list({ query })) {
      runs.push({ workflowId, runId, type, status: status.name, startTime, closeTime, url: pageOf(workflowId, runId) });
      if (runs.length === MOST) break;
    }
    return runs.sort((a, b) => b.startTime.getTime() - a.startTime.getTime());
  }

  return {
    async ofQuote({ tenantId, quoteId }) {
      // Both are ids of our own records: letters and digits, nothing to quote.
      const query = `${attributes.tenantId.name} = '${tenantId}' and ${attributes.quoteId.name} = '${quoteId}'`;
      try {
        return await temporal.withDeadline(Date.now() + ANSWER_MS, () => list(query));
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}
