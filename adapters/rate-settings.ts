import { type TProperties, Type } from 'typebox';

const perWindow = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 1, maximum: 1_000_000_000, description });

/** How often something may happen within a time window before it is refused or postponed. */
export const rateSettings = {
  RATE_USER_PER_MINUTE: perWindow(600, 'requests per user and minute, over all sessions and keys'),
  RATE_TENANT_PER_MINUTE: perWindow(1200, 'requests per business and minute'),
  RATE_ADDRESS_PER_MINUTE: perWindow(
    300,
    'requests per address and minute without a valid session or key, or refused with 403',
  ),
  RATE_LOGIN_PER_MINUTE: perWindow(20, 'sign-ins and registrations per address and minute'),
  RATE_LOGIN_FAILURES: perWindow(
    10,
    'consecutive wrong passwords per account and network (/24, /64), then a pause of 15 min',
  ),
  RATE_LOGIN_FAILURES_PER_ADDRESS: perWindow(100, 'wrong passwords per network (/24, /64) and day, over all accounts'),
  RATE_LOGIN_FAILURES_PER_NAME: perWindow(
    50,
    'wrong passwords per account and day over all networks; above it sign-ins are slowed, never refused',
  ),
  RATE_SHARE_PER_HOUR: perWindow(120, 'shared quotes per user and hour'),
  RATE_WEBHOOK_TEST_PER_MINUTE: perWindow(20, 'webhook tests per user and minute'),
  RATE_UPLOAD_PER_HOUR: perWindow(40, 'uploads per user and hour'),
  RATE_MAIL_PER_HOUR: perWindow(
    300,
    'mails per business and hour, one for each recipient: shares, invitations, automations, reminders',
  ),
  RATE_MAIL_PER_DAY: perWindow(2_000, 'mails per business within 24 hours'),
  RATE_PUBLIC_PER_MINUTE: perWindow(120, "requests for clients' pages per address and minute"),
} satisfies TProperties;
