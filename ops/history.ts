import { type Client as TemporalClient, WorkflowNotFoundError } from '@temporalio/client';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  type ReplayWorkerOptions,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { isRefused, status, statusOf } from '../adapters/temporal/status.ts';

/** What Temporal wrote down of one run, event by event. */
export type History = Awaited<ReturnType<ReturnType<TemporalClient['workflow']['getHandle']>['fetchHistory']>>;
export type WorkflowBundle = NonNullable<ReplayWorkerOptions['workflowBundle']>;

/** The history of a run, the latest under that id unless one is named; undefined when Temporal knows none. */
export async function downloadHistory(
  temporal: TemporalClient,
  workflowId: string,
  runId?: string,
): Promise<History | undefined> {
  try {
    return await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
  } catch (error) {
    // A run id that is no UUID is refused.
    if (error instanceof WorkflowNotFoundError || statusOf(error) === status.notFound || isRefused(error))
      return undefined;
    throw error;
  }
}

/** Where workflow code and a history part: the first event that the code does not agree with, and what is wrong. */
export interface Violation {
  readonly eventId: number;
  readonly error: Error;
}

/**
 * Lets workflow code decide once more what a history says was decided; undefined when it agrees.
 */
export async function violationOf(
  history: History,
  workflowId: string,
  workflowBundle: WorkflowBundle,
): Promise<Violation | undefined> {
  const events = history.events ?? [];
  // The SDK does not always say which event; it is the last one of the shortest beginning that fails, so we halve.
  let agreed = 0;
  let failed: { readonly length: number; readonly error: Error } | undefined;
  let length = events.length;
  function* beginnings() {
    while (length > agreed && length !== failed?.length) {
      yield { workflowId, history: { events: events.slice(0, length) } };
    }
  }
  // It takes the next one after we have dealt with the result of the one before.
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, beginnings())) {
    if (error) failed = { length, error };
    else agreed = length;
    if (!failed) break;
    length = Math.ceil((agreed + failed.length) / 2);
  }
  return failed && { eventId: Number(events[failed.length - 1]?.eventId), error: failed.error };
}

/** For a process that only replays: its answer is ours to print, so the SDK keeps to itself what it thinks of it. */
export function replayQuietly(): void {
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter, forward: {} } },
  });
}
