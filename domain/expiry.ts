/** The two moments before a quote expires (decisions, section 6). */

const DAY_MS = 24 * 60 * 60 * 1000;

export interface ExpiryMoments {
  /** When the client is reminded. */
  readonly remindAt: Date;
  /** When QUOTE_EXPIRING happens: 24 hours before the end. */
  readonly expiringAt: Date;
}

/** Both moments; either may be past, and then the rules of the reminder and of the event differ. */
export const expiryMoments = (expiresAt: Date, reminderDaysBefore: number): ExpiryMoments => ({
  remindAt: new Date(expiresAt.getTime() - reminderDaysBefore * DAY_MS),
  expiringAt: new Date(expiresAt.getTime() - DAY_MS),
});

/** The two moments as ops and callers read them. */
export const MOMENT_NAMES = {
  reminder: 'Recordatorio al cliente',
  expiring: 'Aviso de que faltan 24 horas para que venza',
} as const;
