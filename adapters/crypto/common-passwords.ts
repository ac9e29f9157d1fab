import { createRequire } from 'node:module';
import type { dictionary } from '@zxcvbn-ts/language-common';

/** Normalises a password for the comparison with the list: guesses vary capitals and accents as people do. */
const fold = (password: string): string => password.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();

interface CommonPasswords {
  readonly folded: ReadonlySet<string>;
  readonly maxLength: number;
}

let loaded: CommonPasswords | undefined;

/** Loaded with the first new password, because most API processes see none: it takes 4 MB and 40 ms. */
function commonPasswords(): CommonPasswords {
  // Not `import()`: validation is synchronous.
  const list = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as { dictionary: typeof dictionary };
  const folded = new Set(list.dictionary['passwords-common'].map(fold));
  return { folded, maxLength: Math.max(...Array.from(folded, ({ length }) => length)) };
}

/** Whether a password is on the list of common ones. Capitals and accents make no difference. */
export function isCommonPassword(password: string): boolean {
  const { folded, maxLength } = (loaded ??= commonPasswords());
  // A letter has at most three marks. Normalising is not linear in the length, so longer texts are not compared.
  return password.length <= 4 * maxLength && folded.has(fold(password));
}
