import type { Warning } from '../domain/warnings.ts';

/** Adds warnings to a body, if there are any. */
export const withWarnings = <T extends object>(body: T, warnings: readonly Warning[]) =>
  warnings.length > 0 ? { ...body, warnings } : body;
