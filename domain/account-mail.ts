import type { Locale } from './locale.ts';

/** Mails about an account. Each carries a link that works once. */
export type AccountMailKind = 'invitation' | 'password_reset' | 'email_verification';

const HOUR_MS = 60 * 60 * 1000;

/** How long the link of such a mail is valid, in milliseconds from the request. */
export const LINK_LIFE_MS: Readonly<Record<AccountMailKind, number>> = {
  invitation: 7 * 24 * HOUR_MS,
  password_reset: HOUR_MS,
  email_verification: 24 * HOUR_MS,
};

export const isAccountMail = (kind: string): kind is AccountMailKind => Object.hasOwn(LINK_LIFE_MS, kind);

/** The data that such a mail shows. */
export interface AccountMail {
  readonly kind: AccountMailKind;
  readonly businessName: string;
  /** The business's. */
  readonly locale: Locale;
  readonly user: { readonly name: string; readonly email: string };
}
