/** A moment as whoever reads a run in the Temporal UI sees it, "2026-12-05 02:30:00 UTC", whatever their time zone. */
export const utcText = (at: string | number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
