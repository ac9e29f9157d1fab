/** CLABE: the 18 digits of a Mexican bank account (bank 3, place 3, account 11, check digit 1). */

const WEIGHTS = [3, 7, 1];

const digitsOf = (text: string): string | undefined => {
  const digits = text.replace(/[ -]/g, '');
  return /^\d{18}$/.test(digits) ? digits : undefined;
};

/** In the groups 3-3-11-1 when it has 18 digits, as it was typed otherwise: accounts abroad have other forms. */
export const groupedClabe = (text: string): string =>
  digitsOf(text)?.replace(/^(\d{3})(\d{3})(\d{11})(\d)$/, '$1 $2 $3 $4') ?? text;

/** Whether the last digit belongs to the others. It only warns: nobody is refused for it. */
export function clabeCheckDigitHolds(text: string): boolean {
  const digits = digitsOf(text);
  if (!digits) return false;
  const sum = Array.from(digits.slice(0, 17), (digit, index) => (Number(digit) * (WEIGHTS[index % 3] ?? 0)) % 10) // prettier-ignore
    .reduce((total, product) => total + product, 0);
  return (10 - (sum % 10)) % 10 === Number(digits[17]);
}
