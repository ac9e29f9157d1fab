/** One workflow execution, as operators find it in Temporal. Ids only. */
export interface WorkflowExecutionRef {
  readonly workflowId: string;
  /** Null while it is unknown which execution of that id it is. */
  readonly runId: string | null;
}
