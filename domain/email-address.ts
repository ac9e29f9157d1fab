/**
 * Which text is an e-mail address that we send to. Pragmatic rather than RFC 5322: plain ASCII, no quoted local part,
 * no comments, no bare host. What is left cannot carry a second address, a header or a command into a mail.
 * An internationalised domain is given in its xn-- form.
 */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** RFC 5321, section 4.5.3.1: a path of 256 octets includes its angle brackets. */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** Whether mail may be addressed to this text, as it is: surrounding spaces are not trimmed. */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const [local = '', domain = '', ...more] = text.split('@');
  if (more.length > 0 || local.length > MAX_LOCAL_LENGTH || !LOCAL_PART.test(local)) return false;

  const labels = domain.split('.');
  // A last label of digits is an IPv4 address, which mail servers refuse without brackets.
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/** The same rule as far as one expression can say it, for the OpenAPI document. */
export const EMAIL_PATTERN =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$";
