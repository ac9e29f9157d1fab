/**
 * How a mail can fail. The kind decides whether it may be retried without a second copy reaching the client:
 *
 * | what happened | failure | retry |
 * | --- | --- | --- |
 * | not reached, timed out, or a 4xx before the message itself was begun | MailUnavailable | yes |
 * | a 5xx at any point, or a 4xx in response to the whole message | MailRefused | no |
 * | the message was begun and no response to it came | MailMaybeSent | no |
 *
 * A 4xx in response to the whole message is definite: the server did not accept it (RFC 5321, section 4.2.1). It still
 * counts as a refusal, because only failures before the message may be retried.
 */

/** How far the SMTP conversation got. `body` begins with the first byte after the server's 354 for DATA. */
export type MailStage = 'address' | 'connect' | 'login' | 'envelope' | 'body';

/** The facts about a failed attempt, without the message. */
export interface MailFailureFacts {
  readonly stage: MailStage;
  /** The SMTP reply code, when the server responded. */
  readonly replyCode?: number | undefined;
  /** The server's reply without addresses, or the system's error code (ECONNREFUSED). */
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

/** The mail server refused, or the address is invalid; nothing was sent, and a retry would not help. */
export class MailRefused extends MailFailure {
  override readonly name = 'MailRefused';

  constructor(facts: MailFailureFacts) {
    super('the mail was refused', facts);
  }
}

/** The message was being sent and the server did not say whether it accepted it. A retry may cause a second copy. */
export class MailMaybeSent extends MailFailure {
  override readonly name = 'MailMaybeSent';

  constructor(facts: MailFailureFacts) {
    super('the mail may have been sent', facts);
  }
}

/** The facts in an SMTP client's error. */
export interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly originalCode?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
}

/** The failure for an error at this stage. */
export function mailFailure(stage: MailStage, error: SmtpError): MailUnavailable | MailRefused | MailMaybeSent {
  // A success code in an error means that the server is out of step with the conversation.
  const replyCode = error.responseCode !== undefined && error.responseCode >= 400 ? error.responseCode : undefined;
  const facts = { stage, replyCode, reason: reasonOf(error) };

  if (stage === 'body') return replyCode === undefined ? new MailMaybeSent(facts) : new MailRefused(facts);
  // EMESSAGE before the body: larger than the server's stated limit.
  if ((replyCode !== undefined && replyCode >= 500) || error.code === 'EMESSAGE') return new MailRefused(facts);
  return new MailUnavailable(facts);
}

function reasonOf(error: SmtpError): string {
  if (!error.response) return error.originalCode ?? error.code ?? error.name;
  // Servers repeat the recipient's address in their replies.
  const reply = error.response.replace(/[^\s<>]+@[^\s<>]+/g, '…').replace(/\s+/g, ' ');
  return reply.slice(0, 200);
}
