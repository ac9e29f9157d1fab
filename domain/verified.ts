import type { Caller } from './caller.ts';
import { emailUnverified } from './errors.ts';

/** Throws a 403 until the business has confirmed its e-mail address. */
export function assertVerified({ isVerified }: Caller): void {
  if (!isVerified) throw emailUnverified();
}
