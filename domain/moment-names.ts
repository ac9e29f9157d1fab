/** The follow-ups, the reminder and the events around the expiry of a quote, by the names that operators and callers read. */
export const MOMENT_NAMES = {
  followUp: 'Seguimiento al cliente',
  reminder: 'Recordatorio al cliente',
  expiring: 'Aviso de que faltan 24 horas para que venza',
  expired: 'Aviso de que venció',
} as const;
