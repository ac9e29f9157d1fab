/** One execution of a workflow, as operators find it in Temporal. Holds ids only, no personal data. */
export interface WorkflowExecutionRef {
  readonly workflowId: string;
  /** Null until the execution is known. */
  readonly runId: string | null;
}
