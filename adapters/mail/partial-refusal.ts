import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpError } from './failures.ts';

/** What the server answered to the recipients of a mail, one by one. */
export interface Envelope {
  readonly accepted: readonly string[];
  readonly rejectedErrors: readonly (SmtpError & { readonly recipient?: string })[];
}

/**
 * The answers of a connection whose message was not sent yet. The library gives them only with its result, when it is
 * too late to keep a mail back, so they are read from the member in which it collects them.
 */
export function envelopeOf(connection: SMTPConnection): Envelope {
  const envelope: unknown = Reflect.get(connection, '_envelope');
  if (!isEnvelope(envelope)) throw new TypeError('nodemailer keeps its envelope in another member');
  return envelope;
}

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' &&
  value !== null &&
  Array.isArray(Reflect.get(value, 'accepted')) &&
  Array.isArray(Reflect.get(value, 'rejectedErrors'));

/** The error with which a mail ends unsent; undefined when it may go to the recipients that were accepted. */
export function refusalOf(
  { accepted, rejectedErrors }: Envelope,
  { required, skipDeferred }: { readonly required: readonly string[]; readonly skipDeferred: boolean },
): SmtpError | undefined {
  const deferred = rejectedErrors.find(isDeferral);
  if (deferred && !skipDeferred) return deferred;
  if (required.some((address) => accepted.includes(address))) return undefined;
  const ofRequired = rejectedErrors.filter(({ recipient = '' }) => required.includes(recipient));
  return ofRequired.find(isDeferral) ?? ofRequired[0] ?? deferred;
}

const isDeferral = ({ responseCode = 0 }: SmtpError): boolean => responseCode >= 400 && responseCode < 500;
