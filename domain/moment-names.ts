/** The follow-ups, the reminder and the event before a quote expires, by the names that operators and callers read. */
export const MOMENT_NAMES = {
  followUp: 'Seguimiento al cliente',
  reminder: 'Recordatorio al cliente',
  expiring: 'Aviso de que faltan 24 horas para que venza',
} as const;
