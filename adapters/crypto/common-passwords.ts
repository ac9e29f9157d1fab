import { dictionary } from '@zxcvbn-ts/language-common';

/** What is left of a password when it is compared with the list: people vary capitals and accents, and so do guesses. */
const fold = (password: string): string => password.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();

const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'].map(fold));
const MAX_LENGTH = Math.max(...Array.from(COMMON, ({ length }) => length));

/** Whether a password is a common one. Capitals and accents make no difference. */
export function isCommonPassword(password: string): boolean {
  // Each sign is at most a letter and three marks. Normalising is not linear, so longer texts never get there.
  return password.length <= 4 * MAX_LENGTH && COMMON.has(fold(password));
}
