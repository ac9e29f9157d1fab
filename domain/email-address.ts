/**
 * Which texts are e-mail addresses that we send to. Stricter than RFC 5322: plain ASCII, no quoted local part, no
 * comments, no bare host, so that an address cannot carry a second address, a header or a command into a mail. An
 * internationalised domain is given in its xn-- form, which adapters/internet-address.ts makes.
 */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** RFC 5321, section 4.5.3.1: a path of 256 octets includes its angle brackets. */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** Whether mail may be addressed to this exact text; surrounding spaces are not trimmed. */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const [local = '', domain = '', ...more] = text.split('@');
  if (more.length > 0 || local.length > MAX_LOCAL_LENGTH || !LOCAL_PART.test(local)) return false;

  const labels = domain.split('.');
  // A last label of digits is an IPv4 address, which mail servers refuse without brackets.
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/**
 * The form in which addresses are looked up, counted and compared: trimmed, with A–Z as a–z. Other letters stay,
 * because JavaScript and PostgreSQL fold some of them differently (İ, the Kelvin sign). The database folds with
 * lower(email collate "C"), which is the same rule.
 */
export const foldEmailAddress = (text: string): string =>
  text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The rule of isEmailAddress as one expression, as far as that is possible, for the OpenAPI document. */
export const EMAIL_PATTERN =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$";
