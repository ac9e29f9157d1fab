/** A number in the content of a page: at most six decimals, no exponent. */
export const operand = (value: number): number => Math.round(value * 1e6) / 1e6;
