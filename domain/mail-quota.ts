/** How many mails one business may send. Null means unlimited. */
export type MailQuota = { readonly perHour: number; readonly perDay: number } | null;

interface MailSettings {
  readonly RATE_LIMITS: 'on' | 'off';
  readonly RATE_MAIL_PER_HOUR: number;
  readonly RATE_MAIL_PER_DAY: number;
}

/**
 * The configured quota. It counts mails whose recipient a member chooses: shares, invitations, automation mails,
 * reminders. Password links are not counted, so that a business without quota can still sign in; they have a limit per
 * account.
 */
export const mailQuotaOf = ({ RATE_LIMITS, RATE_MAIL_PER_HOUR, RATE_MAIL_PER_DAY }: MailSettings): MailQuota =>
  RATE_LIMITS === 'off' ? null : { perHour: RATE_MAIL_PER_HOUR, perDay: RATE_MAIL_PER_DAY };
