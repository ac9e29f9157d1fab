/** A moment for readers of the Temporal UI, "2026-12-05 02:30:00 UTC", independent of their time zone. */
export const utcText = (at: string | number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
