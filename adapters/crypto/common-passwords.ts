import { dictionary } from '@zxcvbn-ts/language-common';

/** Normalises a password for the comparison with the list: guesses vary capitals and accents as people do. */
const fold = (password: string): string => password.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();

const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'].map(fold));
const MAX_LENGTH = Math.max(...Array.from(COMMON, ({ length }) => length));

/** Whether a password is on the list of common ones. Capitals and accents make no difference. */
export function isCommonPassword(password: string): boolean {
  // A letter has at most three marks. Normalising is not linear in the length, so longer texts are not compared.
  return password.length <= 4 * MAX_LENGTH && COMMON.has(fold(password));
}
