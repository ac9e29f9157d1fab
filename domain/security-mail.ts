import type { Locale } from './locale.ts';
import type { TimeZone } from './zone.ts';

/** The mails about the security of an account. They cannot be switched off. */
export const SECURITY_MAIL_KINDS = [
  'api_key_created',
  'password_changed',
  'two_factor_disabled',
  'recovery_code_used',
  'owner_added',
] as const;
export type SecurityMailKind = (typeof SECURITY_MAIL_KINDS)[number];

export const isSecurityMail = (kind: string): kind is SecurityMailKind =>
  SECURITY_MAIL_KINDS.some((known) => known === kind);

/** What such a mail names: never a secret. */
export interface SecurityMailDetails {
  /** Where the request came from; absent when an operator did it. */
  readonly ip?: string;
  /** The key's name and last characters, or the new owner's name. */
  readonly subject?: string;
}

/** The data that such a mail shows. */
export interface SecurityMail extends SecurityMailDetails {
  readonly kind: SecurityMailKind;
  readonly businessName: string;
  /** The business's language and time zone. */
  readonly locale: Locale;
  readonly timeZone: TimeZone;
  readonly user: { readonly name: string; readonly email: string };
  /** ISO 8601. */
  readonly at: string;
}
