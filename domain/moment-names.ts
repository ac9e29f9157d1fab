/** The two moments before a quote expires, as operators and callers read them. */
export const MOMENT_NAMES = {
  reminder: 'Recordatorio al cliente',
  expiring: 'Aviso de que faltan 24 horas para que venza',
} as const;
