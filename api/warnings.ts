import type { Warning } from '../domain/warnings.ts';

/** An answer with what looks wrong in it, if anything does. */
export const withWarnings = <T extends object>(body: T, warnings: readonly Warning[]) =>
  warnings.length > 0 ? { ...body, warnings } : body;
