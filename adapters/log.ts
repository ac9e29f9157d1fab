import {
  type ChildLoggerOptions,
  destination as destinationOf,
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino';
import type { ApiConfig } from './config.ts';
import { maskText, redactMembers } from './redaction.ts';

/** The service's log: one JSON object per line, `log.info({ quoteId }, 'quote created')`. */
export type Log = Logger;

export interface LogOptions {
  readonly level: ApiConfig['LOG_LEVEL'];
  /** The process: "api", "worker". */
  readonly name: string;
  /** Members added to each line when it is written, such as trace ids. */
  readonly members?: () => object;
}

/**
 * A log on standard output without secrets and contents of mails: see `redaction.ts`. Code must not put a password or
 * token into a message: only API keys and e-mail addresses are recognised by their form.
 */
export function createLog({ level, name, members }: LogOptions, destination?: DestinationStream): Log {
  const options = {
    level,
    name,
    timestamp: stdTimeFunctions.isoTime,
    ...(members && { mixin: members }),
    // Errors are serialised with the redaction; the default serializer would run after it, on the copy.
    serializers: { err: (error: unknown) => error },
    formatters: {
      level: (label: string) => ({ level: label }),
      bindings: redactMembers,
      log: redactMembers,
    },
    // Redacts the final line, whatever it was made from: message, members, bindings of child logs.
    hooks: { streamWrite: maskText },
  };
  return withRedactedChildren(pino(options, destination ?? standardOutput()));
}

/** Milliseconds for which lines are buffered: one write for all costs less than one for each. */
const FLUSH_MS = 100;

/** Lines are written in batches; when the process ends pino flushes the rest, unless it is killed. */
const standardOutput = (): DestinationStream =>
  destinationOf({ sync: false, minLength: 4_096, periodicFlush: FLUSH_MS });

/** pino formats the bindings of the root log only; those of its children are redacted here. */
function withRedactedChildren(log: Log): Log {
  // The cast drops the type parameter for custom levels, of which there are none.
  const { child } = log as unknown as { child: (this: Log, bindings: object, options?: ChildLoggerOptions) => Log };
  return Object.assign(log, {
    child(this: Log, bindings: object, options?: ChildLoggerOptions) {
      return child.call(this, redactMembers(bindings), options);
    },
  });
}
