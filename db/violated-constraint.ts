/**
 * The name of the constraint or unique index that a write ran into, or undefined for any other error. Read from the
 * driver's error: behind row-level security PostgreSQL keeps the detail back from which Objection would take it.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('constraint' in error && typeof error.constraint === 'string') return error.constraint;
  return 'nativeError' in error ? violatedConstraint(error.nativeError) : undefined;
}
