import { type TProperties, Type } from 'typebox';

const perWindow = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 1, maximum: 1_000_000_000, description });

/** How often something may happen within a time window before it is refused or postponed. */
export const rateSettings = {
  RATE_USER_PER_MINUTE: perWindow(600, 'requests of one user a minute, all sessions and keys together'),
  RATE_TENANT_PER_MINUTE: perWindow(1200, 'requests of one business a minute'),
  RATE_ADDRESS_PER_MINUTE: perWindow(
    300,
    'requests of one address a minute that have no valid session or key, or are refused with 403',
  ),
  RATE_LOGIN_PER_MINUTE: perWindow(20, 'sign-ins and registrations of one address a minute'),
  RATE_LOGIN_FAILURES: perWindow(
    10,
    'wrong passwords in a row for one account from one network (/24, /64), then a pause of 15 min',
  ),
  RATE_LOGIN_FAILURES_PER_ADDRESS: perWindow(
    100,
    'wrong passwords from one network (/24, /64) a day, for any accounts',
  ),
  RATE_LOGIN_FAILURES_PER_NAME: perWindow(
    50,
    'wrong passwords for one account a day from all networks; beyond, sign-ins to it are slower, never refused',
  ),
  RATE_SHARE_PER_HOUR: perWindow(120, 'quotes that one user mails an hour'),
  RATE_WEBHOOK_TEST_PER_MINUTE: perWindow(20, 'webhook tests of one user a minute'),
  RATE_UPLOAD_PER_HOUR: perWindow(40, 'uploads of one user an hour'),
  RATE_MAIL_PER_HOUR: perWindow(300, 'mails of one business an hour: shares, invitations, automations, reminders'),
  RATE_MAIL_PER_DAY: perWindow(2_000, 'mails of one business within 24 hours'),
  RATE_PUBLIC_PER_MINUTE: perWindow(120, "requests for clients' pages of one address a minute"),
} satisfies TProperties;
