import { violatedConstraint } from '../../db/violated-constraint.ts';
import { numberTaken } from '../../domain/errors.ts';

/** Runs a write of a new quote. Throws the 409 if its number, as people see it, is that of another quote. */
export async function withFreeNumber<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    // The unique index decides: two formats can give the same text for different numbers.
    throw violatedConstraint(error) === 'quotes_display_number' ? numberTaken() : error;
  }
}
