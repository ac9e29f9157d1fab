import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { MailRefused, MailUnavailable } from '../adapters/mail/failures.ts';
import { failures } from '../workflows/failures.ts';
import { permanent } from './permanent-failure.ts';

/**
 * Heartbeat details of a failed attempt: it is known which mails were sent, up to and including this attempt. An attempt
 * that was lost with its worker leaves no such details.
 */
interface Known {
  readonly knownUntil: number;
}

/** Sends a mail and records that, if the step keeps records. A failure in between leaves unknown whether it was sent. */
export type Deliver = <T>(send: () => Promise<T>) => Promise<T>;

/**
 * A step that sends mails. Where an earlier attempt was lost after it may have sent one, an attempt that ends for good
 * without a mail fails as `SmtpMaybeSent`: a mail may have been sent. Everything that may fail belongs inside the step, also
 * the wait for a permit: the next attempt takes a failure outside of it for a lost attempt.
 */
export function mailStep<Input, Result extends { readonly mailed: boolean } | void>(
  step: (input: Input, deliver: Deliver) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return async (input) => {
    const { attempt, heartbeatDetails } = activityInfo();
    // Written below, by the attempt before.
    const known = heartbeatDetails as Known | undefined | null;
    const wasLost = attempt > 1 && known?.knownUntil !== attempt - 1;
    let isKnown = !wasLost;

    const deliver: Deliver = async <T>(send: () => Promise<T>) => {
      const before = isKnown;
      isKnown = false;
      try {
        const sent = await send();
        isKnown = before;
        return sent;
      } catch (error) {
        if (error instanceof MailUnavailable || error instanceof MailRefused) isKnown = before;
        throw error;
      }
    };

    let result: Result;
    try {
      result = await step(input, deliver);
    } catch (error) {
      // A failure carries the details of the last heartbeat to the next attempt.
      if (isKnown) heartbeat({ knownUntil: attempt } satisfies Known);
      const isNonRetryable = error instanceof ApplicationFailure && error.nonRetryable === true;
      throw isNonRetryable && !isKnown && !isMaybeSent(error) ? maybeSent(error) : error;
    }
    if (wasLost && result?.mailed === false) throw maybeSent();
    return result;
  };
}

const isMaybeSent = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === failures.smtpMaybeSent;

const maybeSent = (cause?: unknown): ApplicationFailure =>
  permanent(failures.smtpMaybeSent, 'no se sabe si el correo salió', cause instanceof Error ? cause : undefined);
