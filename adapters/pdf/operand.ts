/** A number in the content of a page: at most six decimals, no exponent. */
export const operand = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Where a text starts, on a page whose origin is at the lower left, and its size in points. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Operator: the next text starts here. */
export const moveTo = (x: number, y: number): string => `1 0 0 1 ${operand(x)} ${operand(y)} Tm\n`;
