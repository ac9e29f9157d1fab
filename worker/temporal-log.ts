import type { Logger, LogLevel, LogMetadata } from '@temporalio/common';
import type { Log } from '../adapters/log.ts';

/** The log of Temporal's SDK, and of the workflows that it runs, as lines of ours. */
export function temporalLogger(log: Log): Logger {
  const write = (level: LogLevel, message: string, meta: LogMetadata = {}) => {
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
  };
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
