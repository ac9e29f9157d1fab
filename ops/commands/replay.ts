import { replayQuietly, violationOf } from '../history.ts';
import { workflowBundlePath } from '../../worker/workflow-bundle.ts';
import { CommandError, print, UsageError } from './command.ts';
import { historyOf } from './runs.ts';

/** Replays a run of the Temporal server in the workflow code of this checkout, and prints whether it still agrees. */
export async function run([workflowId, runId, ...more]: readonly string[]): Promise<void> {
  if (!workflowId || more.length > 0) throw new UsageError();
  const history = await historyOf(workflowId, runId);
  replayQuietly();
  const violation = await violationOf(history, workflowId, { codePath: await workflowBundlePath() });
  const events = history.events?.length ?? 0;
  if (!violation) return print(`OK ${workflowId}: ${events} eventos`);
  const { eventId, error } = violation;
  throw new CommandError(
    `${workflowId}: el código de hoy no coincide en el evento ${eventId} de ${events}\n${reason(error)}`,
  );
}

/** The SDK wraps the sentence that says what differs into the whole of its own failure. */
const reason = ({ message }: Error): string => /message: "((?:[^"\\]|\\.)+)"/.exec(message)?.[1] ?? message;
