import type { ErrorObject, SchemaValidateFunction } from 'ajv';
import { decimalPlaces } from '../domain/money.ts';

const MAX_DECIMALS = 4;

type Problem = Pick<ErrorObject, 'keyword' | 'params'>;

/**
 * The keyword `lineQuantity` of Ajv, with the maximum: a whole number from 1, or, when the line has a unit, a positive number
 * of up to four decimals. Its errors are those of the standard keywords.
 */
export const quantityRule: SchemaValidateFunction = (
  max: number,
  quantity: unknown,
  _schema: unknown,
  at?: { parentData: object },
) => {
  const unit: unknown = at && Reflect.get(at.parentData, 'unit');
  const isMeasured = typeof unit === 'string' && unit !== '';
  const problems = problemsOf(quantity, isMeasured, max);
  quantityRule.errors = [...problems];
  return problems.length === 0;
};

function problemsOf(quantity: unknown, isMeasured: boolean, max: number): readonly Problem[] {
  if (typeof quantity !== 'number') return [problem('type', { type: isMeasured ? 'number' : 'integer' })];
  const tooMuch = quantity > max ? [problem('maximum', { limit: max })] : [];
  if (!isMeasured) {
    return [
      ...(Number.isInteger(quantity) ? [] : [problem('type', { type: 'integer' })]),
      ...(quantity < 1 ? [problem('minimum', { limit: 1 })] : []),
      ...tooMuch,
    ];
  }
  if (quantity <= 0) return [problem('exclusiveMinimum', { limit: 0 })];
  const tooFine = decimalPlaces(quantity) > MAX_DECIMALS;
  return [...tooMuch, ...(tooFine ? [problem('maxDecimals', { limit: MAX_DECIMALS })] : [])];
}

const problem = (keyword: string, params: object): Problem => ({ keyword, params });
