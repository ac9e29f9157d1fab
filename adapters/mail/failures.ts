/**
 * How a mail can fail. Which of the three it is decides whether it may be tried again without a second copy
 * reaching the client:
 *
 * | what happened | failure | try again |
 * | --- | --- | --- |
 * | not reached, timed out, or a 4xx before the message itself was begun | MailUnavailable | yes |
 * | a 5xx at any point, or a 4xx in answer to the whole message | MailRefused | no |
 * | the message was begun and no answer to it came | MailMaybeSent | no |
 *
 * A 4xx in answer to the whole message is definite: the server says that it did not take it (RFC 5321, section 4.2.1).
 * It counts as a refusal all the same, because only what fails before the message may be repeated (decisions, section 3).
 */

/** How far the conversation had come. `body` begins with the first byte after the server's go-ahead for DATA. */
export type MailStage = 'address' | 'connect' | 'login' | 'envelope' | 'body';

/** What is known of a failed attempt; nothing of the message. */
export interface MailFailureFacts {
  readonly stage: MailStage;
  /** The SMTP reply code, when the server answered. */
  readonly replyCode?: number | undefined;
  /** The server's reply without addresses, or the system's name for the fault (ECONNREFUSED). */
  readonly reason: string;
}

abstract class MailFailure extends Error {
  readonly stage: MailStage;
  readonly replyCode: number | undefined;

  constructor(what: string, { stage, replyCode, reason }: MailFailureFacts) {
    super(`${what} (${stage}: ${reason})`);
    this.stage = stage;
    this.replyCode = replyCode;
  }
}

/** The mail server could not be reached or asked to come back later; nothing was sent. */
export class MailUnavailable extends MailFailure {
  override readonly name = 'MailUnavailable';

  constructor(facts: MailFailureFacts) {
    super('the mail server is not available', facts);
  }
}

/** The mail server said no, or the address is none; nothing was sent, and trying again changes nothing. */
export class MailRefused extends MailFailure {
  override readonly name = 'MailRefused';

  constructor(facts: MailFailureFacts) {
    super('the mail was refused', facts);
  }
}

/** The message was on its way and the server never said whether it took it. A second attempt may be a second copy. */
export class MailMaybeSent extends MailFailure {
  override readonly name = 'MailMaybeSent';

  constructor(facts: MailFailureFacts) {
    super('the mail may have been sent', facts);
  }
}

/** What an SMTP client's error tells us. */
export interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly originalCode?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
}

/** The failure that an error at this stage is. */
export function mailFailure(stage: MailStage, error: SmtpError): MailUnavailable | MailRefused | MailMaybeSent {
  // A success code in an error is a server out of step: it answered, but not what we asked.
  const replyCode = error.responseCode !== undefined && error.responseCode >= 400 ? error.responseCode : undefined;
  const facts = { stage, replyCode, reason: reasonOf(error) };

  if (stage === 'body') return replyCode === undefined ? new MailMaybeSent(facts) : new MailRefused(facts);
  // EMESSAGE before the body: larger than what the server says it takes.
  if ((replyCode !== undefined && replyCode >= 500) || error.code === 'EMESSAGE') return new MailRefused(facts);
  return new MailUnavailable(facts);
}

function reasonOf(error: SmtpError): string {
  if (!error.response) return error.originalCode ?? error.code ?? error.name;
  // Servers repeat the recipient's address in their replies.
  const reply = error.response.replace(/[^\s<>]+@[^\s<>]+/g, '…').replace(/\s+/g, ' ');
  return reply.slice(0, 200);
}
