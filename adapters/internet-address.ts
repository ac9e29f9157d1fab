import { domainToASCII, domainToUnicode } from 'node:url';
import { isEmailAddress } from '../domain/email-address.ts';

/**
 * E-mail addresses with an internationalised domain (RFC 5890): people read `ventas@diseñoweb.mx`, servers its ASCII
 * form.
 */

/** Longer texts are no addresses, and the cost of converting grows with the length. */
const MAX_LENGTH = 254;
const DOMAIN = /^[A-Za-z0-9.\u0080-\u{10ffff}-]+$/u;

/** The address with its domain in ASCII, for mail servers and comparisons. A text that is no address stays as it is. */
export const asciiAddress = (address: string): string => withDomain(address, domainToASCII);

/** The address with its domain in Unicode, in its one normalised form. */
export const readableAddress = (address: string): string =>
  withDomain(address, (domain) => domainToUnicode(domainToASCII(domain)));

/** Whether mail may be addressed to this text, once its domain is in ASCII. */
export const isMailAddress = (text: string): boolean => isEmailAddress(asciiAddress(text));

/** Whether only the local part makes the text no valid address: it would need SMTPUTF8, which few servers support. */
export const hasLocalPartBeyondAscii = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  // oxlint-disable-next-line no-control-regex -- matches ASCII
  return at > 0 && /[^\x00-\x7f]/.test(text.slice(0, at)) && isMailAddress(`x${text.slice(at)}`);
};

function withDomain(address: string, convert: (domain: string) => string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // An ASCII domain stays as given.
  if (address.length > MAX_LENGTH || !DOMAIN.test(domain) || /^[A-Za-z0-9.-]*$/.test(domain)) return address;
  const converted = convert(domain);
  return converted === '' ? address : address.slice(0, at + 1) + converted;
}
