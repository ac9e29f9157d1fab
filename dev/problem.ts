/** Something the person at the terminal can cure. The message says what and how; it is shown without a stack. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The text of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The system's short code (`ENOENT`, `EADDRINUSE`) of a thrown error, if it has one. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
