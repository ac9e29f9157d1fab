import type { Logger } from '@temporalio/common';
import { DefaultLogger } from '@temporalio/worker';
import type { Log } from '../adapters/log.ts';

/** The log of Temporal's SDK, and of the workflows that it runs, as lines of ours. */
export const temporalLogger = (log: Log): Logger =>
  new DefaultLogger('TRACE', ({ level, message, meta = {} }) => {
    // Not the token of a task, which nobody reads; run ids have one name on all lines.
    const { taskToken: _token, error, workflowRunId, activityType, ...members } = meta;
    log[LEVELS[level]](
      {
        ...members,
        ...(error === undefined ? {} : { err: error }),
        ...(workflowRunId === undefined ? {} : { runId: workflowRunId }),
        ...(activityType === undefined ? {} : { step: activityType }),
      },
      message,
    );
  });

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
