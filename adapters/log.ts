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

/** The service's log: one JSON object a line, `log.info({ quoteId }, 'quote created')`. */
export type Log = Logger;

export interface LogOptions {
  readonly level: ApiConfig['LOG_LEVEL'];
  /** Which process speaks: "api", "worker". */
  readonly name: string;
  /** Members that each line gets as it is written, such as the ids of a trace. */
  readonly members?: () => object;
}

/**
 * A log on standard output that holds no secrets and no words of mails: see `redaction.ts`.
 * What code must still not do is paste a password or token into a message: only keys and addresses are known by looks.
 */
export function createLog({ level, name, members }: LogOptions, destination?: DestinationStream): Log {
  const options = {
    level,
    name,
    timestamp: stdTimeFunctions.isoTime,
    ...(members && { mixin: members }),
    // Errors are described where members are redacted; the default serializer would run after it, on the copy.
    serializers: { err: (error: unknown) => error },
    formatters: {
      level: (label: string) => ({ level: label }),
      bindings: redactMembers,
      log: redactMembers,
    },
    // The last word on every line, whatever it was made of: message, members, bindings of child logs.
    hooks: { streamWrite: maskText },
  };
  return withRedactedChildren(pino(options, destination ?? standardOutput()));
}

/** Milliseconds that a line may wait for others: one write for all of them costs less than one for each. */
const FLUSH_MS = 100;

/** Lines go out many at once; when the process ends pino writes what is left, unless it is killed. */
const standardOutput = (): DestinationStream =>
  destinationOf({ sync: false, minLength: 4_096, periodicFlush: FLUSH_MS });

/** pino formats the bindings of the first log only; those of its children are redacted here. */
function withRedactedChildren(log: Log): Log {
  // The cast drops the type parameter for levels of one's own, which this service has none of.
  const { child } = log as unknown as { child: (this: Log, bindings: object, options?: ChildLoggerOptions) => Log };
  return Object.assign(log, {
    child(this: Log, bindings: object, options?: ChildLoggerOptions) {
      return child.call(this, redactMembers(bindings), options);
    },
  });
}
