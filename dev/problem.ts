/**
 * An error that the person at the terminal can fix. Its message says what is wrong and how to fix it; it is shown
 * without a stack.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The text of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The system's short code (`ENOENT`, `EADDRINUSE`) of a thrown error, if it has one. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
