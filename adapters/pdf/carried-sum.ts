import { formatAmount } from '../../domain/format.ts';
import { Decimal } from '../../domain/money.ts';
import type { LineOfDrawing, QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { PageWriter } from './page-writer.ts';
import { drawCarriedRow } from './sum-row.ts';

/** The sum of the rows so far, at the foot of a page that the items table leaves and at the head of the next one. */
export interface CarriedSum {
  /** Adds a row that was drawn; one that does not count leaves the sum as it is. */
  add(item: Pick<LineOfDrawing, 'amount' | 'counts'>): void;
  drawFoot(): void;
  drawHead(): void;
}

export function createCarriedSum(writer: PageWriter, { currency, locale }: QuoteDrawing): CarriedSum {
  // Absent until a row was drawn: there is nothing to carry from a page without rows.
  let sum: Decimal | undefined;
  const draw = (label: string) => {
    if (sum) drawCarriedRow(writer, { label, amount: formatAmount(sum.toFixed(), currency, locale) });
  };
  const { carriedForward, broughtForward } = writer.texts.quote;
  return {
    add({ amount, counts }) {
      sum = (sum ?? new Decimal(0)).plus(counts ? amount : 0);
    },
    drawFoot: () => draw(carriedForward),
    drawHead: () => draw(broughtForward),
  };
}
