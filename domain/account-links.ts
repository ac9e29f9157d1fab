import type { AccountMailKind } from './account-mail.ts';

/** The page that each link opens. */
const PAGES: Readonly<Record<AccountMailKind, string>> = {
  invitation: 'invitation',
  password_reset: 'reset-password',
  email_verification: 'verify-email',
};

/** The address of a one-time link, below PUBLIC_URL. */
export const accountLink = (publicUrl: string, kind: AccountMailKind, token: string): string =>
  // In the query: pages without scripts cannot read a fragment. Logs and traces have the route only.
  `${publicUrl}/${PAGES[kind]}?token=${token}`;
