import { Client, type Connection } from '@temporalio/client';
import type { NamespaceOptions } from '../adapters/temporal/connection.ts';
import { unavailable } from '../domain/errors.ts';
import { attributes, type QuoteRef } from '../workflows/contract.ts';

/** Time limit for listing. */
const LIST_TIMEOUT_MS = 4_000;
/** Limit of listed executions; the newest come first. */
const MAX_EXECUTIONS = 200;

/** A workflow execution with its page in Temporal's UI. */
export interface WorkflowExecution {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly status: string;
  readonly startTime: Date;
  readonly closeTime: Date | undefined;
  /** Null without a configured UI. */
  readonly url: string | null;
}

export interface WorkflowExecutions {
  /** The executions of a quote; new ones are listed after about a second. Throws `unavailable`. */
  ofQuote(quote: QuoteRef): Promise<readonly WorkflowExecution[]>;
}

export function createWorkflowExecutions(
  connection: Connection,
  { uiUrl, ...options }: NamespaceOptions & { readonly uiUrl: string | undefined },
): WorkflowExecutions {
  const { namespace } = options;
  const temporal = new Client({ connection, ...options });
  const pageOf = (workflowId: string, runId: string): string | null =>
    uiUrl === undefined
      ? null
      : new URL(
          `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${runId}/history`,
          uiUrl,
        ).href;

  async function list(query: string): Promise<readonly WorkflowExecution[]> {
    const runs: WorkflowExecution[] = [];
    for await (const { workflowId, runId, type, status, startTime, closeTime } of temporal.workflow.list({ query })) {
      runs.push({ workflowId, runId, type, status: status.name, startTime, closeTime, url: pageOf(workflowId, runId) });
      if (runs.length === MAX_EXECUTIONS) break;
    }
    return runs.sort((a, b) => b.startTime.getTime() - a.startTime.getTime());
  }

  return {
    async ofQuote({ tenantId, quoteId }) {
      // Both are ids of our own records, which contain only letters and digits, so they need no escaping.
      const query = `${attributes.tenantId.name} = '${tenantId}' and ${attributes.quoteId.name} = '${quoteId}'`;
      try {
        return await temporal.withDeadline(Date.now() + LIST_TIMEOUT_MS, () => list(query));
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}
