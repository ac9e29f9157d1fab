/** How many mails one business may send. Null when nothing is limited. */
export type MailQuota = { readonly perHour: number; readonly perDay: number } | null;

interface MailSettings {
  readonly RATE_LIMITS: 'on' | 'off';
  readonly RATE_MAIL_PER_HOUR: number;
  readonly RATE_MAIL_PER_DAY: number;
}

/**
 * The quota that the settings ask for. It counts what members can have sent to whomever they name: shares, invitations,
 * mails of automations, reminders. Links for a new password are not counted: a business that used its quota up must
 * still get in, and those have a limit of their own for each account.
 */
export const mailQuotaOf = ({ RATE_LIMITS, RATE_MAIL_PER_HOUR, RATE_MAIL_PER_DAY }: MailSettings): MailQuota =>
  RATE_LIMITS === 'off' ? null : { perHour: RATE_MAIL_PER_HOUR, perDay: RATE_MAIL_PER_DAY };
