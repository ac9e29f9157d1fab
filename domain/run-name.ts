/** One execution of a workflow, as whoever runs the service finds it in Temporal. Ids only, no words of people. */
export interface RunName {
  readonly workflowId: string;
  /** Null while nobody has said which execution took it. */
  readonly runId: string | null;
}
