/** CLABE: the 18 digits of a Mexican bank account (bank 3, place 3, account 11, check digit 1). */

const digitsOf = (text: string): string | undefined => {
  const digits = text.replace(/[ -]/g, '');
  return /^\d{18}$/.test(digits) ? digits : undefined;
};

/** In the groups 3-3-11-1 when it has 18 digits, as it was typed otherwise: accounts abroad have other forms. */
export const groupedClabe = (text: string): string =>
  digitsOf(text)?.replace(/^(\d{3})(\d{3})(\d{11})(\d)$/, '$1 $2 $3 $4') ?? text;
