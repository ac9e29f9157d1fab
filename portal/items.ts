import { formatAmount, formatPercent, formatPercentPoints, formatQuantity } from '../domain/format.ts';
import { type Html, html } from '../domain/html.ts';
import type { Locale } from '../domain/locale.ts';
import { Decimal } from '../domain/money.ts';
import { textsOf } from '../domain/texts/texts.ts';
import type { QuoteDrawing } from '../domain/quote-drawing.ts';

/**
 * The lines as a table; on a phone each row becomes a card. Roles are explicit, because browsers drop the implicit
 * ones of a table with another layout.
 */
export function itemsTable({ lines, currency, locale }: QuoteDrawing): Html {
  const { quote, page } = textsOf(locale);
  const discounted = lines.some(({ discountPct }) => !new Decimal(discountPct).isZero());
  const heading = (label: string, kind = '') => html`<th role="columnheader" scope="col" class="${kind}">${label}</th>`;
  const rows = lines.map(
    (line) =>
      html`<tr role="row">
        <th role="rowheader" scope="row" class="item-name">
          <bdi>${line.productName}</bdi
          >${line.model ? html`<span class="item-model"><bdi>${line.model}</bdi></span>` : null}
        </th>
        <td role="cell" class="num item-quantity">${formatQuantity(line.quantity, locale)}</td>
        <td role="cell" class="num">${formatAmount(line.unitPrice, currency, locale)}</td>
        ${discounted ? discountCell(line.discountPct, locale) : null}
        <td role="cell" class="num item-amount">${formatAmount(line.amount, currency, locale)}</td>
      </tr>`,
  );
  return html`<table class="items" role="table">
    <caption class="visually-hidden">
      ${page.caption(currency)}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heading(quote.item)}${heading(quote.quantity, 'num')}${heading(quote.unitPrice, 'num')}${
          discounted ? heading(quote.discount, 'num') : null
        }${heading(quote.amount, 'num')}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows}
    </tbody>
  </table>`;
}

const discountCell = (percent: string, locale: Locale): Html =>
  new Decimal(percent).isZero()
    ? html`<td role="cell" class="num item-discount none">—</td>`
    : html`<td role="cell" class="num item-discount">${formatPercentPoints(percent, locale)}</td>`;

/** Subtotal, tax with its rate, shipping and total. */
export function totals(drawing: QuoteDrawing): Html {
  const { subtotal, taxRate, tax, shippingCost, currency, locale, business } = drawing;
  const { quote } = textsOf(locale);
  const amount = (decimal: string) => formatAmount(decimal, currency, locale);
  const row = (name: string, value: string | Html, kind = '') =>
    html`<div class="total-row ${kind}">
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="totals">
    ${row(quote.subtotal, amount(subtotal))}${row(quote.tax(formatPercent(taxRate, locale), business.country), amount(tax))}${
      new Decimal(shippingCost).isZero() ? null : row(quote.shipping, amount(shippingCost))
    }${row(quote.total, withCode(drawing), `grand ${sizeOf(drawing)}`)}
  </dl>`;
}

/** The most letters of an amount, as shown, next to which a phone has room for the currency. */
const MAX_LARGE = '$999,999.99'.length;

/** The class of a total: figures do not wrap, so long ones get a smaller font. */
export const sizeOf = ({ total, currency, locale }: QuoteDrawing): string =>
  formatAmount(total, currency, locale).length > MAX_LARGE ? 'long' : '';

/** A total: the figure wraps only if it does not fit at all; its currency may wrap below it. */
export const withCode = ({ total, currency, locale }: QuoteDrawing): Html =>
  html`<span class="figure">${formatAmount(total, currency, locale)}</span> <span class="code">${currency}</span>`;
